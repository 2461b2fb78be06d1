using System.Collections.Frozen;

namespace Postrider.MessagePack;

/// <summary>The formatters of some types. A partial class derives from it, lists its types with
/// <see cref="MessagePackSerializableAttribute"/>, and the generator writes the rest.</summary>
/// <remarks>
/// The generator adds a property <c>Default</c>, one property per type with its formatter, and the formatters of every type reached from
/// those. Thread-safe.
/// </remarks>
public abstract class MessagePackContext
{
    private readonly FrozenDictionary<Type, object> _formatters;

    /// <summary>For generated code.</summary>
    /// <param name="formatters">The <see cref="IMessagePackFormatter{T}"/> of each type.</param>
    protected MessagePackContext(IEnumerable<KeyValuePair<Type, object>> formatters) => _formatters = formatters.ToFrozenDictionary();

    /// <summary>The types that the context knows.</summary>
    public IReadOnlyCollection<Type> Types => _formatters.Keys;

    /// <summary>Gets the formatter of a type, or null. Keep the result if it is used often: each call is a table lookup.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The formatter, or null.</returns>
    public IMessagePackFormatter<T>? Find<T>() => _formatters.TryGetValue(typeof(T), out var found) ? (IMessagePackFormatter<T>)found : null;

    /// <summary>Gets the formatter of a type.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The formatter.</returns>
    /// <exception cref="MessagePackException"><see cref="MessagePackError.NoFormatter"/>: the context does not know the type.</exception>
    public IMessagePackFormatter<T> Get<T>()
        => Find<T>() ?? throw new MessagePackException(
            MessagePackError.NoFormatter, $"{GetType()} does not include {typeof(T)}: add [MessagePackSerializable(typeof({typeof(T).Name}))] to it.");
}
