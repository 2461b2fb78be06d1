using Microsoft.AspNetCore.Diagnostics;
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.AspNetCore;

/// <summary>Converts failures of handlers to problem details.</summary>
public static class PostriderExceptionHandlerExtensions
{
    /// <summary>Responds to exceptions of the dispatcher with problem details (RFC 9457) and the right status, instead of 500. The application
    /// must call <c>app.UseExceptionHandler()</c>.</summary>
    /// <param name="services">The service collection.</param>
    /// <returns>The service collection.</returns>
    /// <remarks>
    /// <list type="table">
    /// <item><term>400</term><description><c>InvalidMessageException</c>, with its errors by member under <c>errors</c>, and bodies that
    /// are not a valid message</description></item>
    /// <item><term>403</term><description><c>PostriderException</c> with <c>Refused</c>; its text is the detail</description></item>
    /// <item><term>503</term><description>a full queue, an open circuit breaker, a route without a listener</description></item>
    /// <item><term>504</term><description><c>TimeoutException</c></description></item>
    /// </list>
    /// <para>A <c>RemoteException</c> of a route has the status that its handler's failure would have here. An
    /// <c>RpcException</c> and a <c>NatsClientException</c> are 503 (not available), 504 (too late) or 409 (conflict), by
    /// <see cref="Postrider.Serialization.IServiceFailure"/>, which exceptions of an application may have as well. Their texts are not shown.</para>
    /// <para>Other exceptions go to the next handler; their text is not shown to the caller.</para>
    /// </remarks>
    public static IServiceCollection AddPostriderExceptionHandler(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddProblemDetails();
        services.AddSingleton<IExceptionHandler, MessageExceptionHandler>();
        return services;
    }
}
