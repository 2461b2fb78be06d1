using System.Collections.Concurrent;
using System.ComponentModel;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Dispatch;
using Postrider.Dispatch.Routes;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Registration;

/// <summary>The implementation of the generated <c>AddPostrider</c>.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class PostriderServiceCollectionExtensions
{
    /// <summary>Registers the dispatcher; a further call adds its project and its options.</summary>
    /// <typeparam name="TDispatcher">The generated dispatcher.</typeparam>
    /// <param name="services">The service collection.</param>
    /// <param name="module">Creates the project's module; called once per container.</param>
    /// <param name="dispatcher">Creates a dispatcher.</param>
    /// <param name="configure">Sets options; null for the defaults.</param>
    /// <returns>The same collection.</returns>
    public static IServiceCollection Add<TDispatcher>(
        IServiceCollection services,
        Func<HandlerModule> module,
        Func<PipelineTable, CallOrigin?, TDispatcher> dispatcher,
        Action<DispatchOptions>? configure)
        where TDispatcher : Dispatcher
    {
        ArgumentNullException.ThrowIfNull(services);
        var hosts = Find(services);
        var isFirst = hosts is null;
        hosts ??= new DispatchHosts();
        var options = hosts.Options;
        configure?.Invoke(options);
        if (options.Telemetry || options.Overrides.Count > 0)
            DirectCallsChoice.TurnOff();
        if (hosts.TryAdd(new DispatchHost(typeof(TDispatcher), module, dispatcher)))
            services.AddTransient(provider => provider.GetRequiredService<PipelineTable>().For<TDispatcher>(provider));
        if (!isFirst)
            return services;

        services.AddSingleton(hosts);
        services.AddSingleton(root => new ServiceRegistrations(services, root));
        services.AddSingleton(root => new PipelineTable(root, hosts));
        services.AddSingleton<DispatcherFactory>(root => new TableDispatcherFactory(root.GetRequiredService<PipelineTable>()));
        services.AddSingleton<RoutedMessages>(root => new TableRoutedMessages(root.GetRequiredService<PipelineTable>()));
        services.AddSingleton<IncomingMessages>(root => new TableIncomingMessages(root.GetRequiredService<PipelineTable>(), options));

        // Before services that create or change something elsewhere, whatever the order of the calls.
        services.Insert(0, ServiceDescriptor.Singleton<IHostedService>(root => new StartCheck(root.GetRequiredService<PipelineTable>(), options)));
        services.AddSingleton<IRouteTable>(root => new RouteTable(root.GetRequiredService<PipelineTable>(), options));
        services.AddSingleton<IHandlerMap>(root => new HandlerMap(root.GetRequiredService<PipelineTable>()));
        services.AddSingleton(root => new BackgroundQueue(options.BackgroundQueueLength, root.GetService<ILogger<BackgroundQueue>>(), root.GetService<TimeProvider>(), root.GetService<MessageObserver>()));
        services.AddSingleton<IHostedService>(root => root.GetRequiredService<BackgroundQueue>());

        // Transient instead of scoped: a singleton may take one and gets the root's, a scoped service gets that of its scope.
        services.AddTransient<IDispatcher>(provider => provider.GetRequiredService<PipelineTable>().For(provider));
        services.AddScoped(provider => new HandlerScope(provider));
        services.AddTransient(_ => new OwnedDisposable());
        services.AddSingleton(_ => new SingletonCache());
        return services;
    }

    private static DispatchHosts? Find(IServiceCollection services)
    {
        foreach (var service in services)
        {
            if (service.ServiceType == typeof(DispatchHosts))
                return (DispatchHosts?)service.ImplementationInstance;
        }

        return null;
    }

    private sealed class TableDispatcherFactory(PipelineTable table) : DispatcherFactory
    {
        public override IDispatcher Make(CallOrigin origin) => table.For(origin);
    }

    private sealed class TableRoutedMessages(PipelineTable table) : RoutedMessages
    {
        private readonly ConcurrentDictionary<Type, RouteSender> _senders = new();

        public override ValueTask<MessageProperties> SendAsync(object message, CallOrigin? origin, Func<MessageProperties, MessageProperties>? change, CancellationToken ct = default)
        {
            ArgumentNullException.ThrowIfNull(message);
            return SenderOf(message.GetType()).SendAsync(message, origin, change, ct);
        }

        internal override RouteSender SenderOf(Type messageType) => _senders.GetOrAdd(messageType, table.CreateRouteSender);

        internal override RouteSender? SenderOf(string typeName) => table.RoutedType(typeName) is { } type ? SenderOf(type) : null;
    }

    private sealed class TableIncomingMessages(PipelineTable table, DispatchOptions options) : IncomingMessages
    {
        internal override IDispatcher DispatcherFor(CallOrigin origin) => table.ForIncoming(origin);

        internal override void Bind(Type messageType, ITransport listener, TransportBinding binding)
            => table.Bind(messageType, listener, binding);

        internal override void Unbind(Type messageType, ITransport listener, TransportBinding binding)
            => table.Unbind(messageType, listener, binding);

        internal override ValueTask<IReadOnlyList<string>> CheckRoutesAsync(string name, ITransport transport, CancellationToken ct)
            => new RouteCheck(table.Services, options.Routes, options.ValidateOnStart).CheckRoutesAsync(name, transport, ct);
    }
}
