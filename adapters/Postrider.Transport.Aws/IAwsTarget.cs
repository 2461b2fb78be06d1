using Postrider.Envelopes;

namespace Postrider.Transport.Aws;

/// <summary>A queue, a topic or a bus that messages are sent to.</summary>
internal interface IAwsTarget
{
    /// <summary>The bytes of a message with its headers, and of a batch.</summary>
    int MaxBytes { get; }

    /// <summary>Whether messages can be delayed.</summary>
    bool Delays { get; }

    /// <summary>Encodes a message in the service's format. The bytes are copied.</summary>
    AwsMessage Encode(in MessageProperties properties, ReadOnlyMemory<byte> body);

    /// <summary>Sends a batch.</summary>
    /// <returns>An error for each message; null for one that is stored.</returns>
    Task<Exception?[]> SendAsync(IReadOnlyList<AwsMessage> batch, CancellationToken ct);
}
