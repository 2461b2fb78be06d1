using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.AspNetCore;

/// <summary>Maps messages to routes: the body is the message, the response is the handler's.</summary>
/// <remarks>The handler runs in the scope of the request, with the caller as <see cref="MessageContext.User"/>, and is cancelled when the
/// client disconnects. Bodies are read and written with the application's JSON options (<c>ConfigureHttpJsonOptions</c>), which must know
/// the types; a native program adds its <c>JsonSerializerContext</c> there. Failures become problem details with
/// <see cref="PostriderExceptionHandlerExtensions.AddPostriderExceptionHandler"/>.</remarks>
public static class MessageEndpointRouteBuilderExtensions
{
    /// <summary>Maps <c>POST pattern</c> to a request or command with a result.</summary>
    /// <typeparam name="TMessage">The message, read from the body.</typeparam>
    /// <typeparam name="TResponse">The response, written as the body of a 200.</typeparam>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="pattern">The route.</param>
    /// <returns>A builder for conventions such as authorization and rate limits.</returns>
    /// <exception cref="InvalidOperationException">The application's JSON options do not know one of the types.</exception>
    /// <example><code>
    /// app.MapPost&lt;PlaceOrder, Receipt&gt;("/orders").RequireAuthorization();
    /// </code></example>
    public static IEndpointConventionBuilder MapPost<TMessage, TResponse>(this IEndpointRouteBuilder routes, [StringSyntax("Route")] string pattern)
        where TMessage : IRequest<TResponse>
    {
        var body = JsonBody<TMessage>.For(routes);
        var result = JsonBody<TResponse>.For(routes);
        return Map<TMessage>(routes, HttpMethods.Post, pattern, async http =>
        {
            IRequest<TResponse> message = await body.ReadAsync(http).ConfigureAwait(false);
            var response = await DispatcherOf(http).SendAsync(message, http.RequestAborted).ConfigureAwait(false);
            await result.WriteAsync(http, response).ConfigureAwait(false);
        }).WithMetadata(new ProducesResponseTypeMetadata(StatusCodes.Status200OK, typeof(TResponse), [JsonBody.ContentType]));
    }

    /// <summary>Maps <c>POST pattern</c> to a command without a result, which answers 204.</summary>
    /// <typeparam name="TCommand">The command, read from the body.</typeparam>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="pattern">The route.</param>
    /// <returns>A builder for conventions such as authorization and rate limits.</returns>
    /// <exception cref="InvalidOperationException">The application's JSON options do not know the type.</exception>
    public static IEndpointConventionBuilder MapPost<TCommand>(this IEndpointRouteBuilder routes, [StringSyntax("Route")] string pattern)
        where TCommand : ICommand
    {
        var body = JsonBody<TCommand>.For(routes);
        return Map<TCommand>(routes, HttpMethods.Post, pattern, async http =>
        {
            ICommand command = await body.ReadAsync(http).ConfigureAwait(false);
            await DispatcherOf(http).SendAsync(command, http.RequestAborted).ConfigureAwait(false);
            http.Response.StatusCode = StatusCodes.Status204NoContent;
        }).WithMetadata(new ProducesResponseTypeMetadata(StatusCodes.Status204NoContent));
    }

    /// <summary>Maps <c>POST pattern</c> to a notification, which answers 202 when its handlers have ended.</summary>
    /// <typeparam name="TNotification">The notification, read from the body.</typeparam>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="pattern">The route.</param>
    /// <returns>A builder for conventions such as authorization and rate limits.</returns>
    /// <exception cref="InvalidOperationException">The application's JSON options do not know the type.</exception>
    public static IEndpointConventionBuilder MapNotification<TNotification>(this IEndpointRouteBuilder routes, [StringSyntax("Route")] string pattern)
        where TNotification : INotification
    {
        var body = JsonBody<TNotification>.For(routes);
        return Map<TNotification>(routes, HttpMethods.Post, pattern, async http =>
        {
            INotification notification = await body.ReadAsync(http).ConfigureAwait(false);
            await DispatcherOf(http).PublishAsync(notification, http.RequestAborted).ConfigureAwait(false);
            http.Response.StatusCode = StatusCodes.Status202Accepted;
        }).WithMetadata(new ProducesResponseTypeMetadata(StatusCodes.Status202Accepted));
    }

    /// <summary>Maps <c>GET pattern</c> to a query.</summary>
    /// <typeparam name="TQuery">The query.</typeparam>
    /// <typeparam name="TResponse">The response, written as the body of a 200; null answers 404.</typeparam>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="pattern">The route.</param>
    /// <param name="read">Creates the query from the route and the query string.</param>
    /// <returns>A builder for conventions such as authorization and rate limits.</returns>
    /// <exception cref="InvalidOperationException">The application's JSON options do not know the response's type.</exception>
    public static IEndpointConventionBuilder MapGet<TQuery, TResponse>(
        this IEndpointRouteBuilder routes, [StringSyntax("Route")] string pattern, Func<HttpRequest, TQuery> read)
        where TQuery : IRequest<TResponse>
    {
        ArgumentNullException.ThrowIfNull(routes);
        ArgumentNullException.ThrowIfNull(read);
        var result = JsonBody<TResponse>.For(routes);
        return routes.MapMethods(pattern, [HttpMethods.Get, HttpMethods.Head], (RequestDelegate)(async http =>
        {
            IRequest<TResponse> query = Read(http, read);
            var response = await DispatcherOf(http).SendAsync(query, http.RequestAborted).ConfigureAwait(false);
            if (response is null)
                http.Response.StatusCode = StatusCodes.Status404NotFound;
            else
                await result.WriteAsync(http, response).ConfigureAwait(false);
        })).WithDisplayName($"{HttpMethods.Get} {typeof(TQuery).Name}")
            .WithMetadata(new ProducesResponseTypeMetadata(StatusCodes.Status200OK, typeof(TResponse), [JsonBody.ContentType]));
    }

    private static TQuery Read<TQuery>(HttpContext http, Func<HttpRequest, TQuery> read)
    {
        try
        {
            return read(http.Request);
        }
        catch (Exception wrong) when (wrong is FormatException or OverflowException or ArgumentException)
        {
            throw new BadHttpRequestException($"The query is not valid: {wrong.Message}", wrong);
        }
    }

    private static IDispatcher DispatcherOf(HttpContext http)
        => http.RequestServices.GetRequiredService<DispatcherFactory>().Make(new CallOrigin
        {
            Services = http.RequestServices,
            User = http.User.Identity?.IsAuthenticated == true ? http.User : null,
        });

    private static IEndpointConventionBuilder Map<TMessage>(IEndpointRouteBuilder routes, string method, string pattern, RequestDelegate handle)
    {
        ArgumentNullException.ThrowIfNull(routes);
        return routes.MapMethods(pattern, [method], handle).WithDisplayName($"{method} {typeof(TMessage).Name}")
            .WithMetadata(new AcceptsMetadata([JsonBody.ContentType], typeof(TMessage)));
    }
}
