using System.Collections.Concurrent;
using Postrider.MessagePack;

namespace Postrider.Client.MessagePack;

/// <summary>MessagePack serializers for the types that a context knows; other types go to another registry.</summary>
/// <remarks>For <c>ClientOptions.Serializers</c>. Uses no reflection: every formatter is generated at compile time.</remarks>
public sealed class MessagePackSerializerRegistry : IPayloadSerializerRegistry
{
    private readonly ConcurrentDictionary<Type, object> _known = new();
    private readonly MessagePackContext _context;
    private readonly IPayloadSerializerRegistry _others;
    private readonly MessagePackLimits? _limits;

    /// <summary>Uses a context.</summary>
    /// <param name="context">A context that knows the types that are sent.</param>
    /// <param name="others">Used for every other type; null for the built-in formats of bytes, strings and numbers.</param>
    /// <param name="limits">Limits for reading; null for the defaults.</param>
    public MessagePackSerializerRegistry(MessagePackContext context, IPayloadSerializerRegistry? others = null, MessagePackLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(context);
        (_context, _others, _limits) = (context, others ?? DefaultSerializerRegistry.Instance, limits);
    }

    /// <inheritdoc/>
    public IPayloadSerializer<T> Get<T>()
    {
        if (_known.TryGetValue(typeof(T), out var known))
            return (IPayloadSerializer<T>)known;
        return _context.Find<T>() is { } formatter
            ? (IPayloadSerializer<T>)_known.GetOrAdd(typeof(T), new MessagePackPayloadSerializer<T>(formatter, _limits))
            : _others.Get<T>();
    }
}
