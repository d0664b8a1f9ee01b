package facts

import "strings"

// frameworkTable says what people call a dependency, one name a line: the name, an
// ecosystem, and its packages; more ecosystems follow after ";". A package that
// ends in "*" stands for all that begin so. Libraries that no ticket would be
// routed by (utilities, loggers, test and build tools) are left out on purpose.
const frameworkTable = `
Spring Boot: maven org.springframework.boot:*; gradle org.springframework.boot*
Spring Cloud: maven org.springframework.cloud:*; gradle org.springframework.cloud:*
Spring Security: maven org.springframework.security:* org.springframework.boot:spring-boot-starter-security org.springframework.boot:spring-boot-starter-oauth2*; gradle org.springframework.security:* org.springframework.boot:spring-boot-starter-security
Spring MVC: maven org.springframework:spring-webmvc; gradle org.springframework:spring-webmvc
Spring WebFlux: maven org.springframework.boot:spring-boot-starter-webflux org.springframework:spring-webflux; gradle org.springframework.boot:spring-boot-starter-webflux
Spring Data: maven org.springframework.data:* org.springframework.boot:spring-boot-starter-data-*; gradle org.springframework.data:* org.springframework.boot:spring-boot-starter-data-*
Spring Batch: maven org.springframework.batch:* org.springframework.boot:spring-boot-starter-batch; gradle org.springframework.batch:* org.springframework.boot:spring-boot-starter-batch
Spring Kafka: maven org.springframework.kafka:spring-kafka; gradle org.springframework.kafka:spring-kafka
Spring AMQP: maven org.springframework.amqp:* org.springframework.boot:spring-boot-starter-amqp; gradle org.springframework.amqp:* org.springframework.boot:spring-boot-starter-amqp
Spring AI: maven org.springframework.ai:*; gradle org.springframework.ai:*
Spring: maven org.springframework:spring-context org.springframework:spring-core; gradle org.springframework:spring-context
Quarkus: maven io.quarkus:* io.quarkus.platform:*; gradle io.quarkus*
Micronaut: maven io.micronaut*; gradle io.micronaut*
Vert.x: maven io.vertx:*; gradle io.vertx:*
Dropwizard: maven io.dropwizard:*; gradle io.dropwizard:*
Ktor: maven io.ktor:*; gradle io.ktor*
Javalin: maven io.javalin:*; gradle io.javalin:*
Jersey: maven org.glassfish.jersey*; gradle org.glassfish.jersey*
Jakarta EE: maven jakarta.platform:* javax:javaee-api; gradle jakarta.platform:*
Hibernate: maven org.hibernate:* org.hibernate.orm:*; gradle org.hibernate:* org.hibernate.orm:*
MyBatis: maven org.mybatis*; gradle org.mybatis*
jOOQ: maven org.jooq:*; gradle org.jooq:*
Flyway: maven org.flywaydb:*; gradle org.flywaydb*
Liquibase: maven org.liquibase:*; gradle org.liquibase*
Thymeleaf: maven org.thymeleaf* org.springframework.boot:spring-boot-starter-thymeleaf; gradle org.thymeleaf* org.springframework.boot:spring-boot-starter-thymeleaf
Vaadin: maven com.vaadin:*; gradle com.vaadin*
Apache Wicket: maven org.apache.wicket:*; gradle org.apache.wicket:*
Apache Struts: maven org.apache.struts:*; gradle org.apache.struts:*
Apache Camel: maven org.apache.camel*; gradle org.apache.camel*
Apache Kafka: maven org.apache.kafka:*; gradle org.apache.kafka:*
Apache Spark: maven org.apache.spark:*; gradle org.apache.spark:*; pip pyspark
Apache Flink: maven org.apache.flink:*; gradle org.apache.flink:*
Eventuate: maven io.eventuate*; gradle io.eventuate*
Axon: maven org.axonframework*; gradle org.axonframework*
Netty: maven io.netty:*; gradle io.netty:*
Guice: maven com.google.inject:guice; gradle com.google.inject:guice
Akka: maven com.typesafe.akka:*; gradle com.typesafe.akka:*; nuget Akka*
Play Framework: maven com.typesafe.play:*; gradle com.typesafe.play:* org.playframework*
http4s: gradle org.http4s:*
ZIO: gradle dev.zio:*
Jetpack Compose: gradle androidx.compose*
Android: gradle com.android.application com.android.library com.android.tools.build:gradle
Netflix Eureka: maven org.springframework.cloud:spring-cloud-*-netflix-eureka-*; gradle org.springframework.cloud:spring-cloud-*-netflix-eureka-*
OpenFeign: maven org.springframework.cloud:spring-cloud-starter-openfeign org.springframework.cloud:spring-cloud-starter-feign io.github.openfeign:*; gradle org.springframework.cloud:spring-cloud-starter-openfeign io.github.openfeign:*
Resilience4j: maven io.github.resilience4j:* org.springframework.cloud:spring-cloud-starter-circuitbreaker-*; gradle io.github.resilience4j:*
gRPC: maven io.grpc:* net.devh:*; gradle io.grpc:* net.devh:*; go google.golang.org/grpc*; npm @grpc/grpc-js grpc; pip grpcio; nuget Grpc.*; gem grpc; cargo tonic; composer grpc/grpc
React: npm react
React Native: npm react-native
Expo: npm expo
Next.js: npm next
Remix: npm @remix-run/*
Gatsby: npm gatsby
Preact: npm preact
Vue: npm vue
Nuxt: npm nuxt nuxt3
Angular: npm @angular/core
AngularJS: npm angular
Svelte: npm svelte
SvelteKit: npm @sveltejs/kit
SolidJS: npm solid-js
Ember: npm ember-source
Lit: npm lit lit-element
Astro: npm astro
Stimulus: npm @hotwired/stimulus stimulus; gem stimulus-rails
Turbo: npm @hotwired/turbo @hotwired/turbo-rails; gem turbo-rails
Electron: npm electron
Ionic: npm @ionic/*
Redux: npm redux @reduxjs/toolkit react-redux
MobX: npm mobx
Pinia: npm pinia
Tailwind CSS: npm tailwindcss; gem tailwindcss-rails
Bootstrap: npm bootstrap; gem bootstrap
Material UI: npm @mui/material @material-ui/core
Ant Design: npm antd
jQuery: npm jquery
Nx: npm nx @nrwl/workspace
Vite: npm vite
Express: npm express
NestJS: npm @nestjs/core @nestjs/common
Fastify: npm fastify
Koa: npm koa
hapi: npm @hapi/hapi hapi
Hono: npm hono
Sails: npm sails
Meteor: npm meteor-node-stubs
AdonisJS: npm @adonisjs/core
Feathers: npm @feathersjs/feathers
Strapi: npm @strapi/strapi strapi
Socket.IO: npm socket.io socket.io-client
tRPC: npm @trpc/server @trpc/client
Apollo: npm apollo-server* @apollo/*
GraphQL: npm graphql; pip graphene strawberry-graphql ariadne graphql-core; gem graphql; go github.com/graphql-go/graphql
gqlgen: go github.com/99designs/gqlgen*
Mongoose: npm mongoose @nestjs/mongoose
TypeORM: npm typeorm
Sequelize: npm sequelize
Prisma: npm prisma @prisma/client
Drizzle: npm drizzle-orm
Knex: npm knex
KafkaJS: npm kafkajs
BullMQ: npm bullmq bull
Passport: npm passport
Serverless Framework: npm serverless
AWS CDK: npm aws-cdk-lib @aws-cdk/core; pip aws-cdk-lib; maven software.amazon.awscdk:*
Gin: go github.com/gin-gonic/gin
Echo: go github.com/labstack/echo*
Fiber: go github.com/gofiber/fiber*
chi: go github.com/go-chi/chi*
Gorilla: go github.com/gorilla/mux
Beego: go github.com/beego/beego* github.com/astaxie/beego
Buffalo: go github.com/gobuffalo/buffalo
Iris: go github.com/kataras/iris*
Go kit: go github.com/go-kit/kit
Kratos: go github.com/go-kratos/kratos*
Cobra: go github.com/spf13/cobra
GORM: go gorm.io/gorm github.com/jinzhu/gorm
ent: go entgo.io/ent
Watermill: go github.com/ThreeDotsLabs/watermill*
Temporal: go go.temporal.io/sdk; npm @temporalio/*; pip temporalio; maven io.temporal:*
Sarama: go github.com/IBM/sarama github.com/Shopify/sarama
NATS: go github.com/nats-io/nats.go; npm nats; pip nats-py
fasthttp: go github.com/valyala/fasthttp
controller-runtime: go sigs.k8s.io/controller-runtime
Cosmos SDK: go github.com/cosmos/cosmos-sdk
ASP.NET Core: nuget sdk:Microsoft.NET.Sdk.Web Microsoft.AspNetCore.App Microsoft.AspNetCore.All Microsoft.AspNetCore.Mvc*
ASP.NET MVC: nuget Microsoft.AspNet.Mvc Microsoft.AspNet.WebApi*
Blazor: nuget sdk:Microsoft.NET.Sdk.BlazorWebAssembly Microsoft.AspNetCore.Components.WebAssembly Microsoft.AspNetCore.Components.Web
.NET MAUI: nuget Microsoft.Maui*
Xamarin.Forms: nuget Xamarin.Forms
WPF: nuget sdk:Microsoft.NET.Sdk.WindowsDesktop
Avalonia: nuget Avalonia
.NET Aspire: nuget Aspire.* sdk:Aspire.*
Azure Functions: nuget Microsoft.NET.Sdk.Functions Microsoft.Azure.Functions.*; npm @azure/functions; pip azure-functions
Entity Framework Core: nuget Microsoft.EntityFrameworkCore*
Entity Framework: nuget EntityFramework
Dapper: nuget Dapper
Dapr: nuget Dapr.*; pip dapr; go github.com/dapr/go-sdk; npm @dapr/dapr
SignalR: nuget Microsoft.AspNetCore.SignalR* Microsoft.AspNet.SignalR*; npm @microsoft/signalr
MediatR: nuget MediatR*
MassTransit: nuget MassTransit*
NServiceBus: nuget NServiceBus*
Hangfire: nuget Hangfire*
Quartz: nuget Quartz*; maven org.quartz-scheduler:*
IdentityServer: nuget IdentityServer4* Duende.IdentityServer*
Ocelot: nuget Ocelot*
YARP: nuget Yarp.ReverseProxy*
Polly: nuget Polly* Microsoft.Extensions.Http.Polly
Orleans: nuget Microsoft.Orleans*
Nancy: nuget Nancy
ABP: nuget Volo.Abp*
Django: pip django
Django REST framework: pip djangorestframework
Flask: pip flask
FastAPI: pip fastapi
Starlette: pip starlette
Tornado: pip tornado
aiohttp: pip aiohttp
Sanic: pip sanic
Pyramid: pip pyramid
Falcon: pip falcon
Bottle: pip bottle
Litestar: pip litestar starlite
Celery: pip celery
Dramatiq: pip dramatiq
Scrapy: pip scrapy
SQLAlchemy: pip sqlalchemy flask-sqlalchemy
SQLModel: pip sqlmodel
Pydantic: pip pydantic
Streamlit: pip streamlit
Dash: pip dash
Airflow: pip apache-airflow
PyTorch: pip torch
TensorFlow: pip tensorflow
LangChain: pip langchain*; npm langchain @langchain/core
Faust: pip faust faust-streaming
Alembic: pip alembic
Graphene: pip graphene graphene-django
Strawberry: pip strawberry-graphql*
Channels: pip channels
Wagtail: pip wagtail
Odoo: pip odoo
Click: pip click
Gunicorn: pip gunicorn
Uvicorn: pip uvicorn
Rails: gem rails railties
Sinatra: gem sinatra
Hanami: gem hanami
Grape: gem grape
Sidekiq: gem sidekiq
Devise: gem devise
Puma: gem puma
Karafka: gem karafka
Jekyll: gem jekyll
Laravel: composer laravel/framework
Lumen: composer laravel/lumen-framework
Symfony: composer symfony/framework-bundle symfony/symfony
Slim: composer slim/slim
CodeIgniter: composer codeigniter4/framework
CakePHP: composer cakephp/cakephp
Laminas: composer laminas/laminas-mvc
Yii: composer yiisoft/yii2
Livewire: composer livewire/livewire
API Platform: composer api-platform/core
Doctrine: composer doctrine/orm doctrine/doctrine-bundle
Drupal: composer drupal/core drupal/core-recommended
Actix Web: cargo actix-web
Axum: cargo axum
Rocket: cargo rocket
Warp: cargo warp
Tokio: cargo tokio
Diesel: cargo diesel
SQLx: cargo sqlx
Leptos: cargo leptos
Yew: cargo yew
Tauri: cargo tauri; npm @tauri-apps/api
Bevy: cargo bevy
Phoenix: hex phoenix
Phoenix LiveView: hex phoenix_live_view
Ecto: hex ecto ecto_sql
Oban: hex oban
Absinthe: hex absinthe
Flutter: pub flutter
Riverpod: pub flutter_riverpod riverpod
`

// frameworks finds the name that people have for a dependency.
type frameworks struct {
	exact  map[string][]string
	begins map[string][]pattern // by ecosystem
}

type pattern struct{ head, tail, name string }

func newFrameworks() *frameworks {
	t := &frameworks{exact: map[string][]string{}, begins: map[string][]pattern{}}
	for line := range strings.Lines(frameworkTable) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		for part := range strings.SplitSeq(rest, ";") {
			f := strings.Fields(part)
			for _, p := range f[1:] {
				if head, tail, star := strings.Cut(strings.ToLower(p), "*"); star {
					t.begins[f[0]] = append(t.begins[f[0]], pattern{head, strings.TrimSuffix(tail, "*"), name})
				} else {
					t.exact[f[0]+" "+strings.ToLower(p)] = append(t.exact[f[0]+" "+strings.ToLower(p)], name)
				}
			}
		}
	}
	return t
}

// named returns what people call the dependency: often nothing, sometimes several
// names.
func (t *frameworks) named(ecosystem, dependency string) []string {
	dependency = strings.ToLower(strings.TrimSpace(dependency))
	names := append([]string(nil), t.exact[ecosystem+" "+dependency]...)
	for _, p := range t.begins[ecosystem] {
		if rest, ok := strings.CutPrefix(dependency, p.head); ok && strings.Contains(rest, p.tail) {
			names = append(names, p.name)
		}
	}
	return names
}
