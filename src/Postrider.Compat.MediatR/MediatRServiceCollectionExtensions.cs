using System.ComponentModel;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Postrider.Compat.MediatR;

/// <summary>Methods that the generated <c>AddMediatR</c> calls.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class MediatRServiceCollectionExtensions
{
    /// <summary>Reads the configuration of <c>AddMediatR</c>.</summary>
    /// <param name="services">Receives the publisher, unless it already has one.</param>
    /// <param name="configure">Behaviors and processors; null for none.</param>
    /// <returns>The configuration.</returns>
    public static MediatRServiceConfiguration Configure(
        IServiceCollection services, Action<MediatRServiceConfiguration>? configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        var configuration = new MediatRServiceConfiguration();
        configure?.Invoke(configuration);
        configuration.AddPublisher(services);
        return configuration;
    }

    /// <summary>Registers MediatR's interfaces.</summary>
    /// <param name="services">After <c>AddPostrider</c>.</param>
    /// <param name="configuration">Behaviors and processors.</param>
    /// <returns>The same collection.</returns>
    public static IServiceCollection Add(IServiceCollection services, MediatRServiceConfiguration configuration)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(configuration);
        // As in MediatR: the same class for the same interface runs once, however often it is registered.
        services.TryAddEnumerable(configuration.Services);
        // Transient whatever the configuration: a mediator is bound to the scope that resolves it.
        services.TryAddTransient<IMediator>(provider => new Mediator(provider.GetRequiredService<IDispatcher>()));
        services.TryAddTransient<ISender>(provider => provider.GetRequiredService<IMediator>());
        services.TryAddTransient<IPublisher>(provider => provider.GetRequiredService<IMediator>());
        return services;
    }
}
