using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using UpgradeOptions = Microsoft.AspNetCore.Builder.WebSocketOptions;

namespace Postrider.Broker.Http;

/// <summary>Adds a broker's dashboard to an ASP.NET Core application.</summary>
public static class DashboardEndpointRouteBuilderExtensions
{
    /// <summary>Serves the dashboard and the monitoring pages of a broker that runs in this application, at the application's own address.</summary>
    /// <param name="endpoints">The application.</param>
    /// <param name="path">The path: the dashboard is at <c>/postrider/dashboard/</c>, the pages at <c>/postrider/varz</c> and the like.</param>
    /// <param name="broker">The broker; null for the one of <c>AddPostriderBroker</c>.</param>
    /// <returns>Conventions for the endpoint, such as <c>RequireAuthorization("operators")</c>.</returns>
    /// <remarks>
    /// Until it has authorization (or <c>AllowAnonymous</c>), it only answers requests from the application's own machine. Actions require more: users
    /// sign in with credentials of a client of the broker, and a broker without credentials only allows actions from its own machine.
    /// </remarks>
    /// <exception cref="ArgumentException">The path has parameters.</exception>
    /// <exception cref="InvalidOperationException">No broker was passed, and the application has none.</exception>
    /// <example><code>
    /// app.MapPostriderDashboard("/postrider").RequireAuthorization("operators");
    /// </code></example>
    public static IEndpointConventionBuilder MapPostriderDashboard(this IEndpointRouteBuilder endpoints, [StringSyntax("Route")] string path = "/postrider", NatsBroker? broker = null)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentException.ThrowIfNullOrEmpty(path);
        if (path.AsSpan().ContainsAny("{}*")) throw new ArgumentException($"The path '{path}' has parameters; the dashboard needs a fixed one, such as /postrider.", nameof(path));
        if (broker is null && endpoints.ServiceProvider.GetService<IServiceProviderIsService>()?.IsService(typeof(BrokerService)) == false)
            throw new InvalidOperationException($"MapPostriderDashboard(\"{path}\") found no broker in this application. Call builder.AddPostriderBroker() before the application is built, or pass a broker.");
        var pipeline = endpoints.CreateApplicationBuilder();
        pipeline.UseWebSockets(new UpgradeOptions { KeepAliveInterval = PageApplication.AliveInterval, KeepAliveTimeout = PageApplication.AliveInterval });
        var stopping = endpoints.ServiceProvider.GetService<IHostApplicationLifetime>()?.ApplicationStopping ?? default;
        pipeline.Run(new MappedDashboard(broker, stopping).HandleAsync);
        return endpoints.Map($"/{path.Trim('/')}/{{**{MappedDashboard.PageValue}}}", pipeline.Build()).WithDisplayName("Postrider dashboard");
    }
}
