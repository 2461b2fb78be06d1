using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Sagas;
using Postrider.Transports;

namespace Postrider.Testing;

/// <summary>Puts an application under test.</summary>
public static class TestHarnessServiceCollectionExtensions
{
    // The services of these libraries connect to a server when the host starts, or run one.
    private static readonly string[] Connecting = ["Postrider.Client.Hosting", "Postrider.Broker"];

    // Its transports write into the application's database and send over another one, which is replaced; its sagas are in that database.
    private const string Outbox = "Postrider.Outbox";

    /// <summary>Replaces all transports with one in memory, with the same bindings and routes, keeps sagas in memory, replaces the clock with a
    /// virtual one, and records messages. An outbox keeps its database, with the sagas that are in it, and sends when a transaction is
    /// committed.</summary>
    /// <param name="services">The application's services, complete: transports that are added later are not replaced. In ASP.NET Core's
    /// <c>WebApplicationFactory</c> the place is <c>ConfigureTestServices</c>.</param>
    /// <param name="options">Options; null for the defaults.</param>
    /// <returns>The same collection. <see cref="TestHarness"/> is a service of the container.</returns>
    /// <exception cref="InvalidOperationException">It was called before, or <c>AddPostrider</c> was not.</exception>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: an option is not valid.</exception>
    /// <example><code>
    /// builder.Services.AddPostriderTestHarness();
    /// using var host = builder.Build();
    /// await host.StartAsync();
    /// var harness = host.Services.GetRequiredService&lt;TestHarness&gt;();
    /// await host.Services.GetRequiredService&lt;IDispatcher&gt;().PublishAsync(new OrderPlaced("tea"));
    /// await harness.IdleAsync();
    /// </code></example>
    public static IServiceCollection AddPostriderTestHarness(this IServiceCollection services, TestHarnessOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        options ??= new TestHarnessOptions();
        options.Validate();
        if (services.Any(service => service.ServiceType == typeof(TestHarness)))
            throw new InvalidOperationException("AddPostriderTestHarness was already called.");
        if (!services.Any(service => service.ServiceType == typeof(IDispatcher)))
            throw new InvalidOperationException("AddPostriderTestHarness needs the application's services. Call AddPostrider() first.");

        var work = new WorkTracker();
        var observer = new HarnessObserver(work);
        var time = new VirtualTime(options.StartTime, work);
        ReplaceTransports(services, observer, time, options);
        KeepSagasInMemory(services, time);
        if (!options.ConnectsClients)
            RemoveConnecting(services);
        services.AddDispatchRecorder();
        services.AddSingleton<TimeProvider>(time);
        services.AddSingleton<MessageObserver>(observer);
        return services.AddSingleton(root => new TestHarness(
            options, observer, work, time, root.GetRequiredService<DispatchRecords>(), name => root.GetKeyedService<ITransport>(name), root.GetService<SagaStates>()));
    }

    private static void ReplaceTransports(IServiceCollection services, HarnessObserver observer, VirtualTime time, TestHarnessOptions options)
    {
        var added = services.FirstOrDefault(static service => service.ServiceType == typeof(AddedTransports))?.ImplementationInstance as AddedTransports;
        for (var i = 0; i < services.Count; i++)
        {
            if (services[i] is { IsKeyedService: true, ServiceKey: string name } service && service.ServiceType == typeof(ITransport) && !IsOf(Outbox, service.KeyedImplementationFactory))
            {
                TransportAbilities? abilities = added?.Abilities.TryGetValue(name, out var known) == true ? known : null;
                services[i] = ServiceDescriptor.KeyedSingleton<ITransport>(name, (root, _) => new TestTransport(name, abilities, observer, time, root.GetService<ILoggerFactory>(), options.IdleTimeout));
            }
        }
    }

    private static void KeepSagasInMemory(IServiceCollection services, VirtualTime time)
    {
        for (var i = 0; i < services.Count; i++)
        {
            if (services[i].ServiceType == typeof(ISagaStore) && !IsOf(Outbox, services[i].ImplementationFactory))
                services[i] = ServiceDescriptor.Singleton<ISagaStore>(_ => new InMemorySagaStore(time));
        }
    }

    private static void RemoveConnecting(IServiceCollection services)
    {
        for (var i = services.Count - 1; i >= 0; i--)
        {
            var service = services[i];
            if (!service.IsKeyedService && service.ServiceType == typeof(IHostedService) && Connecting.Any(library => IsOf(library, service.ImplementationFactory)))
                services.RemoveAt(i);
        }
    }

    private static bool IsOf(string library, Delegate? factory) => factory?.Method.DeclaringType?.Assembly.GetName().Name == library;
}
