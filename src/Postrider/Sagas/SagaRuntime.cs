using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Sagas;

/// <summary>The objects that all sagas of a container share.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class SagaRuntime(SagaOptions options, ISerializerProvider serializers, RoutedMessages routes, TimeProvider time, ILogger logger)
{
    private readonly ConcurrentDictionary<Type, object> _types = new();

    internal RoutedMessages Routes => routes;

    internal TimeProvider Time => time;

    internal ILogger Logger => logger;

    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: no format supports the class;
    /// <see cref="PostriderError.Configuration"/>: another one has its name.</exception>
    internal SagaType<TSaga> TypeOf<TSaga>()
        where TSaga : class
        => (SagaType<TSaga>)_types.GetOrAdd(typeof(TSaga), static (_, runtime) => runtime.Create<TSaga>(), this);

    private SagaType<TSaga> Create<TSaga>()
        where TSaga : class
    {
        var created = new SagaType<TSaga>(options, serializers);
        var other = _types.Keys.FirstOrDefault(type => type != typeof(TSaga) && type.Name == created.Name && typeof(TSaga).Name == created.Name);
        return other is null
            ? created
            : throw new PostriderException(PostriderError.Configuration, $"{typeof(TSaga)} and {other} are sagas with the name '{created.Name}', under which their states would be mixed: set SagaOptions.For<…>().Name of one of them.");
    }
}
