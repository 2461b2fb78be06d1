using System.Buffers;
using Postrider.Serialization;

namespace Postrider.Rpc;

// A protocol term: a block of headers is called headers.
#pragma warning disable CA1710
/// <summary>Headers of a call: names and values that every transport can carry.</summary>
/// <remarks>Each name has one value, because a frame, a JSON message and a SOAP block have no room for several. Names consist of
/// letters, digits, '-', '_' and '.' and are case-insensitive, as HTTP, gRPC and NATS allow together; values consist of printable ASCII
/// characters, so encode anything else. Not thread-safe.</remarks>
public sealed class RpcHeaders : HeaderCollection
{
    private static readonly SearchValues<char> s_name = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.");

    /// <inheritdoc/>
    protected override StringComparison NameComparison => StringComparison.OrdinalIgnoreCase;

    /// <inheritdoc/>
    protected override bool IsSingleValued => true;

    /// <summary>Whether a text is a valid header name.</summary>
    /// <param name="name">The text.</param>
    /// <returns>True if every transport supports it.</returns>
    public static bool IsName(ReadOnlySpan<char> name) => name.Length is > 0 and <= byte.MaxValue && !name.ContainsAnyExcept(s_name);

    /// <summary>Whether a text is a valid header value.</summary>
    /// <param name="value">The text.</param>
    /// <returns>True if every transport supports it.</returns>
    public static bool IsValue(ReadOnlySpan<char> value) => value.Length <= ushort.MaxValue && !value.ContainsAnyExceptInRange(' ', '~');

    /// <summary>Throws if a name or a value is not valid.</summary>
    /// <param name="name">The name.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="ArgumentException">The name or the value contains invalid characters.</exception>
    protected override void Validate(string name, string value)
    {
        if (!IsName(name))
            throw new ArgumentException($"Header name '{name}' may only contain letters, digits, '-', '_' and '.'.", nameof(name));
        if (!IsValue(value))
            throw new ArgumentException($"The value of header '{name}' may only contain printable ASCII characters.", nameof(value));
    }
}
