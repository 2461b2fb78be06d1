using Postrider.Envelopes;

namespace Postrider.Benchmarks.Routing;

/// <summary>A provider whose messages are made in its own form and go nowhere.</summary>
/// <param name="Provider">Its name in the table.</param>
/// <param name="Encode">Makes a message; what it returns is dropped.</param>
public sealed record NullWire(string Provider, NullWire.Encoding Encode)
{
    /// <summary>Makes a message of the provider's.</summary>
    /// <param name="properties">The properties.</param>
    /// <param name="body">The body.</param>
    /// <returns>The message.</returns>
    public delegate object? Encoding(in MessageProperties properties, ReadOnlyMemory<byte> body);
}
