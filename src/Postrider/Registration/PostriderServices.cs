using System.ComponentModel;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Dispatch;

namespace Postrider.Registration;

/// <summary>What the generated <c>AddPostrider</c> calls.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class PostriderServices
{
    /// <summary>Registers the dispatcher.</summary>
    /// <typeparam name="TDispatcher">The generated dispatcher.</typeparam>
    /// <param name="services">Where to.</param>
    /// <param name="module">Makes the project's module; called once per container.</param>
    /// <param name="dispatcher">Makes a dispatcher.</param>
    /// <param name="configure">Says what is routed or replaced; null for nothing.</param>
    /// <returns>The same collection.</returns>
    public static IServiceCollection Add<TDispatcher>(
        IServiceCollection services,
        Func<HandlerModule> module,
        Func<PipelineTable, CallOrigin?, TDispatcher> dispatcher,
        Action<DispatchOptions>? configure)
        where TDispatcher : Dispatcher
    {
        ArgumentNullException.ThrowIfNull(services);
        foreach (var service in services)
        {
            if (service.ServiceType == typeof(PipelineTable))
                throw new PostriderException(PostriderError.Configuration, "AddPostrider was called twice on one service collection.");
        }

        var options = new DispatchOptions();
        configure?.Invoke(options);
        if (options.Telemetry || options.Overrides.Count > 0)
            DirectCallsChoice.TurnOff();
        services.AddSingleton(root => new PipelineTable(root, module(), dispatcher, options));
        services.AddSingleton<DispatcherFactory>(root => new TableDispatcherFactory(root.GetRequiredService<PipelineTable>()));

        services.AddSingleton<IHandlerMap>(root => new HandlerMap(root.GetRequiredService<PipelineTable>()));
        services.AddSingleton(root => new BackgroundQueue(options.BackgroundQueueLength, root.GetService<ILogger<BackgroundQueue>>(), root.GetService<TimeProvider>()));
        services.AddSingleton<IHostedService>(root => root.GetRequiredService<BackgroundQueue>());

        // Transient, and not scoped: a singleton may take one and gets the root's, a scoped service gets its scope's.
        services.AddTransient(provider => (TDispatcher)provider.GetRequiredService<PipelineTable>().For(provider));
        services.AddTransient<IDispatcher>(provider => provider.GetRequiredService<PipelineTable>().For(provider));
        services.AddScoped(provider => new HandlerScope(provider));
        services.AddTransient(_ => new DisposedInstance());
        services.AddSingleton(_ => new SingleInstances());
        return services;
    }

    private sealed class TableDispatcherFactory(PipelineTable table) : DispatcherFactory
    {
        public override IDispatcher Make(CallOrigin origin) => table.For(origin);
    }
}
