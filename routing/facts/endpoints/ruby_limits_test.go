package endpoints

import "testing"

func TestRailsLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []webApp{
		{"only and except from around", map[string]string{"config/routes.rb": `
READ = %i[index show].freeze
SOME = [:create]
Rails.application.routes.draw do
  scope :v1, only: [:index] do
    resources :a
    resources :b, only: :show
    resources :c, except: %i[new edit create index update]
  end
  with_options only: READ do |list|
    list.resources :d do
      list.resource :inner
    end
    list.get "plain", to: "x#y"
  end
  with_options(except: [:index, :new, :edit, :update, :destroy]) do
    resources :e
  end
  namespace :n, except: [:index, :new, :edit, :show, :create] do
    resources :f
  end
  resources :g, only: SOME
  resources :h, only: Elsewhere::LIST
  resources :i, only: UNKNOWN do
    get :own, on: :member
  end
  resources :j, only: []
  direct(:home) { "/nowhere" }
  resolve("Basket") { [:basket] }
end`}, `
GET /v1/a
GET /v1/b/{id}
GET /v1/c/{id}
DELETE /v1/c/{id}
GET /d
GET /d/{id}
GET /d/{d_id}/inner
GET /plain
POST /e
GET /e/{id}
PATCH /n/f/{id}
PUT /n/f/{id}
DELETE /n/f/{id}
POST /g
GET /i/{id}/own
`},
		{"devise", map[string]string{
			"app/models/user.rb": "class User < ApplicationRecord\n  devise :database_authenticatable, :recoverable, :registerable\nend",
			"config/routes.rb": `
Rails.application.routes.draw do
  devise_for :users, path: "", only: [:sessions], controllers: { sessions: "x" }, path_names: { sign_in: "login", sign_out: "logout" }
end`,
		}, `
GET /login
POST /login
DELETE /logout
`},
	} {
		c.check(t)
	}
}
