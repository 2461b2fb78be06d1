using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using Postrider.Rpc.Server.Grpc;

namespace Postrider.Rpc.Server;

/// <summary>Puts gRPC's health service among an application's routes.</summary>
public static class GrpcHealthEndpointRouteBuilderExtensions
{
    private const string Service = "grpc.health.v1.Health";

    /// <summary>Serves <c>grpc.health.v1.Health</c>: what ASP.NET Core's health checks find, for gRPC's callers and balancers.</summary>
    /// <remarks>The application has health checks by <c>AddHealthChecks()</c>. Asked without a name it is the worst of all of them: a check that is unhealthy
    /// makes it not serving. Asked by a service's name it is the worst of the checks that have the name as a tag; a name that none has is not known, unless
    /// it is among those given here, which are as the whole is.</remarks>
    /// <param name="routes">The application.</param>
    /// <param name="services">The names of services, with their packages, that are served whenever the whole is.</param>
    /// <param name="watched">How often those who watch are looked after; null for five seconds.</param>
    /// <param name="time">The clock of watching; null for the system's.</param>
    /// <returns>The routes, for authorization and the like.</returns>
    public static IEndpointConventionBuilder MapGrpcHealth(
        this IEndpointRouteBuilder routes, IReadOnlyCollection<string>? services = null, TimeSpan? watched = null, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(routes);
        var checks = routes.ServiceProvider.GetService<HealthCheckService>()
            ?? throw new InvalidOperationException("Health checks are not registered. Call builder.Services.AddHealthChecks().");
        var registered = routes.ServiceProvider.GetRequiredService<IOptions<HealthCheckServiceOptions>>().Value.Registrations;
        var health = new Health(checks, registered, services ?? [], watched ?? TimeSpan.FromSeconds(5), time ?? TimeProvider.System);
        return routes.MapGrpc(
            new RpcService(
                Service, "1.0.0",
                new OperationEndpoint<string, Unit, HealthState>(
                    new(Service, "Check", OperationKind.Unary, SpecialParameters.Token, static codec => codec.GetFormatter<string>()), (name, _, _, ct) => health.CheckAsync(name, ct)),
                new OperationEndpoint<string, Unit, HealthState>(
                    new(Service, "Watch", OperationKind.ServerStream, SpecialParameters.Token, static codec => codec.GetFormatter<string>()), (name, _, _, ct) => health.WatchAsync(name, ct))),
            [new HealthCodec()]);
    }

    private sealed class Health(
        HealthCheckService checks, ICollection<HealthCheckRegistration> registered, IReadOnlyCollection<string> services, TimeSpan watched, TimeProvider time)
    {
        public async ValueTask<HealthState> CheckAsync(string name, CancellationToken ct)
            => await StateAsync(name, ct).ConfigureAwait(false) is var state && state == HealthState.ServiceUnknown
                ? throw new RpcException(RpcStatus.NotFound, $"Unknown service '{name}'.")
                : state;

        public async IAsyncEnumerable<HealthState> WatchAsync(string name, [EnumeratorCancellation] CancellationToken ct)
        {
            HealthState? last = null;
            using var timer = new PeriodicTimer(watched, time);
            do
            {
                var state = await StateAsync(name, ct).ConfigureAwait(false);
                if (state != last)
                    yield return state;
                last = state;
            }
            while (await timer.WaitForNextTickAsync(ct).ConfigureAwait(false));
        }

        private async ValueTask<HealthState> StateAsync(string name, CancellationToken ct)
        {
            var isWhole = name.Length == 0 || services.Contains(name, StringComparer.Ordinal);
            if (!isWhole && !registered.Any(r => r.Tags.Contains(name)))
                return HealthState.ServiceUnknown;
            var report = await checks.CheckHealthAsync(r => isWhole || r.Tags.Contains(name), ct).ConfigureAwait(false);
            return report.Status == HealthStatus.Unhealthy ? HealthState.NotServing : HealthState.Serving;
        }
    }
}
