using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Sagas;

/// <summary>Configures where the sagas of a container are kept.</summary>
public sealed class SagaBuilder
{
    internal SagaBuilder(IServiceCollection services) => Services = services;

    /// <summary>The service collection.</summary>
    public IServiceCollection Services { get; }

    /// <summary>Keeps the sagas in memory: for tests, since they end with the process.</summary>
    /// <returns>This builder.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the sagas have a store.</exception>
    public SagaBuilder UseInMemory()
        => UseStore(static services => new InMemorySagaStore(services.GetService<TimeProvider>()), ServiceLifetime.Singleton);

    /// <summary>Keeps the sagas in a store.</summary>
    /// <param name="create">Creates the store.</param>
    /// <param name="lifetime">How long the store lives: <see cref="ServiceLifetime.Scoped"/> for one that writes into the transaction of the
    /// message's scope.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the sagas have a store.</exception>
    public SagaBuilder UseStore(Func<IServiceProvider, ISagaStore> create, ServiceLifetime lifetime)
    {
        ArgumentNullException.ThrowIfNull(create);
        if (Services.Any(static service => service.ServiceType == typeof(ISagaStore)))
            throw new PostriderException(PostriderError.Configuration, "The sagas already have a store: call one of the Use methods after AddPostriderSagas, once.");
        Services.Add(new ServiceDescriptor(typeof(ISagaStore), create, lifetime));
        return this;
    }
}
