package endpoints

import "testing"

// TestRailsGuide holds what Rails' guide to routing and its API say of each word.
func TestRailsGuide(t *testing.T) {
	t.Parallel()
	for _, c := range []webApp{
		{"lists over several lines", map[string]string{"config/routes.rb": `
Rails.application.routes.draw do
  resources :berths,
            except: [
              :new,
              :edit, # no pages
              :destroy
            ] do
    collection do
      get :free
    end
  end
  resources :cranes, only: [
    :index
  ]
  resources(:ropes, only: %i(
    show
    update
  ))
  resource :pier, only: %w[show]
  resources :knots, :only => [:index],
                    :path => "ties"
end`}, `
GET /berths
POST /berths
GET /berths/free
GET /berths/{id}
PATCH /berths/{id}
PUT /berths/{id}
GET /cranes
GET /ropes/{id}
PATCH /ropes/{id}
PUT /ropes/{id}
GET /pier
GET /ties
`},
		{"shallow nesting", map[string]string{"config/routes.rb": `
Rails.application.routes.draw do
  resources :articles, only: [] do
    resources :comments, shallow: true, only: [:index, :show]
  end
  shallow do
    resources :boats, only: [] do
      resources :logs, only: [:create, :destroy]
    end
  end
  scope shallow_path: "sekret" do
    resources :notes, shallow: true, only: [] do
      resources :lines, only: [:index, :update]
    end
  end
end`}, `
GET /articles/{article_id}/comments
GET /comments/{id}
POST /boats/{boat_id}/logs
DELETE /logs/{id}
GET /notes/{note_id}/lines
PATCH /sekret/lines/{id}
PUT /sekret/lines/{id}
`},
		{"concerns with options", map[string]string{"config/routes.rb": `
Rails.application.routes.draw do
  concern :commentable do |options|
    resources :comments, options
  end
  concern :reportable do |**opts|
    resources :reports, **opts, param: :uuid
  end
  concern :image_attachable do
    resources :images, only: :index
  end
  resources :messages, only: [] do
    concerns :commentable, only: [:index]
    concerns :reportable, except: [:index, :new, :edit, :update, :destroy]
  end
  resources :posts, only: [:show], concerns: [:image_attachable]
  namespace :feed do
    concerns :image_attachable
  end
end`}, `
GET /messages/{message_id}/comments
POST /messages/{message_id}/reports
GET /messages/{message_id}/reports/{uuid}
GET /posts/{id}
GET /posts/{post_id}/images
GET /feed/images
`},
		{"constraints by blocks of their own", map[string]string{"config/routes.rb": `
Rails.application.routes.draw do
  namespace :admin, constraints: lambda { |request| request.ip == "1" } do
    get "stats", to: "stats#show"
  end
  scope "/inner", constraints: ->(request) { request.ip } do
    get "a", to: "x#a"
  end
  constraints(->(req) { req.env["x"] }) do
    get "b", to: "x#b"
  end
  constraints subdomain: "api" do
    resources :docks, only: :index, constraints: { id: /[A-Z]{2}/ }
  end
  authenticate :user, ->(u) { u.admin? } do
    get "queue", to: "x#q"
  end
  get "c", to: "x#c", constraints: lambda { |r| r.get? }
  get "d", to: redirect { |params, request| "/e" }
  defaults format: :json do
    get "f(/:year)", to: "x#f"
  end
  controller :sessions do
    get "login" => :new
  end
end`}, `
GET /admin/stats
GET /inner/a
GET /b
GET /docks
GET /queue
GET /c
GET /d
GET /f
GET /login
`},
		{"names of paths and namespaces", map[string]string{"config/routes.rb": `
Rails.application.routes.draw do
  namespace :admin, path: "sekret" do
    resources :a, only: :index
  end
  namespace :plain, path: nil do
    resources :b, only: :index
  end
  scope module: "api" do
    resources :c, only: :index
  end
  scope path: "/p", as: "q" do
    resources :d, only: [:new], path_names: { new: "make" }
  end
  resources :e, only: :show, param: :slug do
    resources :f, only: :index
    member do
      get :preview
    end
  end
  resource :geocoder, only: [:new, :show] do
    get :help, on: :member
  end
  if Rails.env.test?
    get "probe", to: "x#p"
  end
end`}, `
GET /sekret/a
GET /b
GET /c
GET /p/d/make
GET /e/{slug}
GET /e/{e_slug}/f
GET /e/{slug}/preview
GET /geocoder
GET /geocoder/new
GET /geocoder/help
GET /probe
`},
		{"devise, by what the model asks for", map[string]string{
			"app/models/pilot.rb": "class Pilot < ApplicationRecord\n  devise :omniauthable, :trackable, omniauth_providers: [:x]\nend",
			"app/models/user.rb":  "class User < ApplicationRecord\n  devise :database_authenticatable, :registerable\nend",
			"config/routes.rb": `
Rails.application.routes.draw do
  devise_for :pilots
  devise_for :users, skip: [:registrations], controllers: {
    sessions: "s"
  }
  devise_scope :user do
    get "login", to: "s#new"
  end
end`,
		}, `
GET /users/sign_in
POST /users/sign_in
DELETE /users/sign_out
GET /login
`},
	} {
		c.check(t)
	}
}
