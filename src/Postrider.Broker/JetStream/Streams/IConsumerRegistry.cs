using System.Text.Json.Nodes;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The part of JetStream that serves consumers.</summary>
internal interface IConsumerRegistry
{
    /// <summary>Adds the operations on consumers to an account's API.</summary>
    void Register(JetStreamAccount account);

    /// <summary>Removes an account whose streams are closed.</summary>
    void Unregister(JetStreamAccount account);

    /// <summary>Responds to operations on consumers in an account without JetStream.</summary>
    /// <returns>The subscriptions.</returns>
    IReadOnlyList<Subscription> RegisterNotEnabled(JetStreamEngine engine, Account account);

    /// <summary>Opens the consumers of a stream that was recovered from the disk, before it accepts messages.</summary>
    void Recover(MessageStream stream, SendBatch batch);

    /// <summary>The newest stream sequence that any consumer has delivered, for a stream that lost its end.</summary>
    ulong LastDelivered(MessageStream stream);

    /// <summary>Ends the waiting pull requests of a stream's consumers because the broker stops.</summary>
    void EndPulls(MessageStream stream, SendBatch batch);

    /// <summary>Lets a stream remove the messages that its consumers have processed, once all its consumers have been recovered.</summary>
    void ReleaseAcknowledged(MessageStream stream);

    /// <summary>Describes the consumers of a stream for its archive. The stream's lock is held.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="upTo">The last sequence of the snapshot, which no exported state exceeds.</param>
    /// <returns>Names and documents.</returns>
    IReadOnlyList<KeyValuePair<string, byte[]>> Export(MessageStream stream, ulong upTo);

    /// <summary>Describes the consumers of a stream for monitoring. The stream's lock is held.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="direct">Whether to describe the unlisted (direct) consumers, or the others.</param>
    /// <param name="withConfig">Whether to include the configuration.</param>
    JsonArray Describe(MessageStream stream, bool direct, bool withConfig);

    /// <summary>Creates a consumer from an archive's document, before its stream accepts messages.</summary>
    /// <returns>Null, or the problem.</returns>
    string? Import(MessageStream stream, string name, ReadOnlySpan<byte> document, SendBatch batch);
}
