using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using Postrider.Rpc.Protobuf;
using ServingStatus = Grpc.Health.V1.HealthCheckResponse.Types.ServingStatus;
using V1 = Grpc.Health.V1;

namespace Postrider.Rpc.Grpc;

/// <summary>Maps the gRPC health service.</summary>
public static class GrpcHealthEndpointRouteBuilderExtensions
{
    private const string Package = "grpc.health.v1";
    private const string Service = "Health";

    /// <summary>Serves <c>grpc.health.v1.Health</c> with the results of ASP.NET Core's health checks, for gRPC clients and load
    /// balancers.</summary>
    /// <remarks>Requires <c>AddHealthChecks()</c>. Without a service name, the result is the worst of all checks: one unhealthy check
    /// means NOT_SERVING. With a service name, it is the worst of the checks tagged with that name. A name that no check is tagged with
    /// is unknown, unless it is one of <paramref name="services"/>, which have the overall status.</remarks>
    /// <param name="routes">The application's routes.</param>
    /// <param name="services">Names of services, with their packages, that have the overall status.</param>
    /// <param name="watched">How often watched services are checked; null for five seconds.</param>
    /// <param name="time">The clock for watching; null for the system clock.</param>
    /// <returns>A builder for conventions such as authorization.</returns>
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
                new OperationEndpoint<V1.HealthCheckRequest, Unit, V1.HealthCheckResponse>(
                    new(Service, "Check", OperationKind.Unary, SpecialParameters.Token, static codec => codec.GetFormatter<V1.HealthCheckRequest>()),
                    (request, _, _, ct) => health.CheckAsync(request.Service, ct)),
                new OperationEndpoint<V1.HealthCheckRequest, Unit, V1.HealthCheckResponse>(
                    new(Service, "Watch", OperationKind.ServerStream, SpecialParameters.Token, static codec => codec.GetFormatter<V1.HealthCheckRequest>()),
                    (request, _, _, ct) => health.WatchAsync(request.Service, ct))),
            [new RpcProtobufCodec(V1.HealthReflection.Descriptor)],
            Package);
    }

    private sealed class Health(
        HealthCheckService checks, ICollection<HealthCheckRegistration> registered, IReadOnlyCollection<string> services, TimeSpan watched, TimeProvider time)
    {
        public async ValueTask<V1.HealthCheckResponse> CheckAsync(string name, CancellationToken ct)
            => await StatusAsync(name, ct).ConfigureAwait(false) is var status && status == ServingStatus.ServiceUnknown
                ? throw new RpcException(RpcStatus.NotFound, $"Unknown service '{name}'.")
                : new V1.HealthCheckResponse { Status = status };

        public async IAsyncEnumerable<V1.HealthCheckResponse> WatchAsync(string name, [EnumeratorCancellation] CancellationToken ct)
        {
            ServingStatus? last = null;
            using var timer = new PeriodicTimer(watched, time);
            do
            {
                var status = await StatusAsync(name, ct).ConfigureAwait(false);
                if (status != last)
                    yield return new V1.HealthCheckResponse { Status = status };
                last = status;
            }
            while (await timer.WaitForNextTickAsync(ct).ConfigureAwait(false));
        }

        private async ValueTask<ServingStatus> StatusAsync(string name, CancellationToken ct)
        {
            var isWhole = name.Length == 0 || services.Contains(name, StringComparer.Ordinal);
            if (!isWhole && !registered.Any(r => r.Tags.Contains(name)))
                return ServingStatus.ServiceUnknown;
            var report = await checks.CheckHealthAsync(r => isWhole || r.Tags.Contains(name), ct).ConfigureAwait(false);
            return report.Status == HealthStatus.Unhealthy ? ServingStatus.NotServing : ServingStatus.Serving;
        }
    }
}
