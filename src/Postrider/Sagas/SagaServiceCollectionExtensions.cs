using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Sagas;

/// <summary>Adds sagas to a container.</summary>
public static class SagaServiceCollectionExtensions
{
    /// <summary>Adds the services that the project's sagas need; their handlers are wired by <c>AddPostrider</c>.</summary>
    /// <param name="services">The service collection that <c>AddPostrider</c> is called on.</param>
    /// <param name="serializers">Write and read the states: <c>new JsonSerializerProvider(OrdersJson.Default)</c>.</param>
    /// <param name="configure">Sets the options; null for the defaults. A wrong value fails the start of the host.</param>
    /// <returns>A builder for the store.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: it was called before.</exception>
    /// <example><code>
    /// builder.Services.AddPostriderSagas(new JsonSerializerProvider(OrdersJson.Default)).UseOutbox();
    /// </code></example>
    public static SagaBuilder AddPostriderSagas(this IServiceCollection services, ISerializerProvider serializers, Action<SagaOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(serializers);
        if (services.Any(static service => service.ServiceType == typeof(SagaRuntime)))
            throw new PostriderException(PostriderError.Configuration, "The container already has sagas: call AddPostriderSagas once, for all of them.");
        var options = new SagaOptions();
        configure?.Invoke(options);
        services.AddSingleton(root => new SagaRuntime(
            options, serializers, root.GetRequiredService<RoutedMessages>(), root.GetService<TimeProvider>() ?? TimeProvider.System,
            root.GetService<ILogger<SagaRuntime>>() ?? (ILogger)NullLogger.Instance));
        services.AddSingleton(static root => new SagaStates(root.GetRequiredService<IServiceScopeFactory>(), root.GetRequiredService<SagaRuntime>()));
        services.AddSingleton<IHostedService>(root => new SagaCheck(options, root));
        return new SagaBuilder(services);
    }

    internal static SagaRuntime RuntimeOf(IServiceProvider services, Type saga)
        => services.GetService<SagaRuntime>()
            ?? throw new PostriderException(PostriderError.Configuration, $"{saga} is a saga, and the container has no sagas: call AddPostriderSagas(…) and one of its Use methods.");

    internal static ISagaStore StoreOf(IServiceProvider services)
        => services.GetService<ISagaStore>()
            ?? throw new PostriderException(PostriderError.Configuration, "The sagas have no store: call UseOutbox, UseNatsKeyValue or UseInMemory after AddPostriderSagas.");
}
