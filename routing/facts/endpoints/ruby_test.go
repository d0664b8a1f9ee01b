package endpoints

import "testing"

func TestRails(t *testing.T) {
	t.Parallel()
	for _, c := range []webApp{
		{"resources", map[string]string{"config/routes.rb": `
Rails.application.routes.draw do
  root to: "home#index"
  resources :orders, only: %i[index show] do
    member { post :cancel }
    collection do
      get "open(.:format)", to: "orders#open"
    end
    get :export, on: :collection
    resources :lines, only: [:create], param: :slug # of an order
    get "note"
  end
  resource :cart, except: [:new, :edit, :destroy]
end`}, `
GET /
GET /cart
PATCH /cart
POST /cart
PUT /cart
GET /orders
GET /orders/export
GET /orders/open
POST /orders/{id}/cancel
GET /orders/{id}
GET /orders/{order_id}/note
POST /orders/{order_id}/lines
`},
		{"scopes, concerns, drawn files, loops", map[string]string{
			"config/routes.rb": `
Rails.application.routes.draw do
  concern :shareable do
    post :share, on: :member
  end
  draw :admin
  scope "(:locale)" do
    namespace :api, defaults: { format: :json } do
      scope "/v1", module: "v1" do
        resources :teams, only: [], concerns: :shareable
        match "ping" => "x#ping", via: [:get, :post]
        match "any", to: "x#any", via: :all
      end
    end
  end
  %w[a b].each do |name|
    get "pages/#{name}", to: "pages#show" if true
  end
  get "left/#{out}", to: "x#y"
  resources :books, shallow: true, only: [] do
    resources :pages, only: [:index, :show]
  end
  mount Shop::Engine => "/shop"
  get :old, to: redirect { |p| "/new" }
  def skipped
    get "/in-a-method"
  end
end`,
			"config/routes/admin.rb":        "namespace :admin do\n  get '/stats', to: 'stats#show',\n    as: :stats\nend\n",
			"engines/shop/config/routes.rb": "Shop::Engine.routes.draw do\n  get 'basket', to: 'b#x'\nend\n",
		}, `
GET /admin/stats
 /api/v1/any
GET /api/v1/ping
POST /api/v1/ping
POST /api/v1/teams/{id}/share
GET /books/{book_id}/pages
GET /old
GET /pages/a
GET /pages/b
GET /pages/{id}
GET /shop/basket
`},
		{"an API without pages, and Devise", map[string]string{
			"config/application.rb":  "module A\n  class Application\n    config.api_only = true\n  end\nend\n",
			"config/routes.rb":       "A.routes.draw do\n  resources :notes, except: :destroy\n  devise_for :users, path: 'auth'\nend\n",
			"app/models/user.rb":     "class User\n  devise :database_authenticatable,\n         :lockable\nend\n",
			"spec/routes/some_sp.rb": "get '/never' do\nend\n",
		}, `
GET /auth/sign_in
POST /auth/sign_in
DELETE /auth/sign_out
GET /auth/unlock
POST /auth/unlock
GET /auth/unlock/new
GET /notes
POST /notes
GET /notes/{id}
PATCH /notes/{id}
PUT /notes/{id}
`},
		{"grape and sinatra", map[string]string{
			"app/api/root.rb": "class Root < Grape::API\n  prefix :api\n  version 'v2', using: :path\n  mount Items\nend\n",
			"app/api/items.rb": `
module Shop
  class Items < Grape::API
    resource :items do
      desc 'all' do
        detail 'get /not'
      end
      params { optional :q }
      get do
        Client.get('/elsewhere') { |r| r }
      end
      route_param :id do
        delete 'lines' do
        end
      end
    end
  end
end`,
			"web.rb": "require 'sinatra'\nget '/health' do\n  'ok'\nend\npost \"/hooks/:name\" do |n|\nend\nget '/no-block'\n",
		}, `
GET /api/v2/items
DELETE /api/v2/items/{id}/lines
GET /health
POST /hooks/{name}
`},
	} {
		c.check(t)
	}
}

func FuzzRuby(f *testing.F) {
	for _, s := range []string{
		"resources :a do\n member do\n get :b\nend", "concern :a do\n concerns :a\nend\nconcerns :a", "%w[", "<<~X\nget", "draw :routes",
		"resources :a, :b, only: [:index { do |x", "class A < Grape::API\nmount A\nget(((", "[].each do |x|\nget \"#{x", "def a\na\nend\na",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(_ *testing.T, in []byte) {
		r := newRuby()
		for _, file := range []string{"config/routes.rb", "config/routes/routes.rb", "app/models/a.rb", "lib/a.rb", "config/application.rb"} {
			r.read(file, in)
		}
		r.read("lib/b.rb", append([]byte("class B < Grape::API\n"), in...))
		r.found()
	})
}
