using System.Text.Json.Nodes;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The half of JetStream that serves consumers.</summary>
internal interface IConsumerRegistry
{
    /// <summary>Adds the operations on consumers to an account's API.</summary>
    void Register(JetStreamAccount account);

    /// <summary>Forgets an account whose streams are closed.</summary>
    void Unregister(JetStreamAccount account);

    /// <summary>Answers operations on consumers in an account that has no JetStream.</summary>
    /// <returns>The subscriptions that do so.</returns>
    IReadOnlyList<Subscription> RegisterNotEnabled(JetStreamEngine engine, Account account);

    /// <summary>Opens the consumers of a stream that was read from the disk, before it takes messages.</summary>
    void Recover(MessageStream stream, SendBatch batch);

    /// <summary>The newest stream sequence that any consumer was given, for a stream that lost its end.</summary>
    ulong LastDelivered(MessageStream stream);

    /// <summary>Ends the waiting pull requests of a stream's consumers because the broker stops.</summary>
    void EndPulls(MessageStream stream, SendBatch batch);

    /// <summary>Lets a stream remove what its consumers are done with, once all that it had are there again.</summary>
    void ReleaseAcknowledged(MessageStream stream);

    /// <summary>Describes the consumers of a stream for its archive. The stream's lock is held.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="upTo">The last sequence of the snapshot, which no exported state exceeds.</param>
    /// <returns>Names and documents.</returns>
    IReadOnlyList<KeyValuePair<string, byte[]>> Export(MessageStream stream, ulong upTo);

    /// <summary>Describes the consumers of a stream for monitoring. The stream's lock is held.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="direct">Those that are not listed elsewhere, or the others.</param>
    /// <param name="withConfig">Whether to say what they do.</param>
    JsonArray Describe(MessageStream stream, bool direct, bool withConfig);

    /// <summary>Makes a consumer of an archive's document, before its stream takes messages.</summary>
    /// <returns>Null, or why not.</returns>
    string? Import(MessageStream stream, string name, ReadOnlySpan<byte> document, SendBatch batch);
}
