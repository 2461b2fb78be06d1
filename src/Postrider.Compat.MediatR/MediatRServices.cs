using System.ComponentModel;
using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Compat.MediatR;

/// <summary>What the generated <c>AddMediatR</c> calls.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class MediatRServices
{
    /// <summary>Registers MediatR's interfaces.</summary>
    /// <param name="services">After <c>AddPostrider</c>.</param>
    /// <param name="configure">Behaviors and processors; null for none.</param>
    /// <returns>The same collection.</returns>
    public static IServiceCollection Add(IServiceCollection services, Action<MediatRServiceConfiguration>? configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        var configuration = new MediatRServiceConfiguration();
        configure?.Invoke(configuration);
        foreach (var service in configuration.Services)
            services.Add(service);
        services.AddTransient<IMediator>(provider => new Mediator(provider.GetRequiredService<IDispatcher>()));
        services.AddTransient<ISender>(provider => provider.GetRequiredService<IMediator>());
        services.AddTransient<IPublisher>(provider => provider.GetRequiredService<IMediator>());
        return services;
    }
}
