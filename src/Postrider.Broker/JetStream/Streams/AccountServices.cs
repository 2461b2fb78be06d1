using Microsoft.Extensions.Logging;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The parts of the server and the account that streams and consumers use.</summary>
/// <remarks>Immutable; each part is thread-safe.</remarks>
internal sealed class AccountServices
{
    private const string IdLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private const int IdLength = 22;

    /// <summary>The account's name.</summary>
    public required string AccountName { get; init; }

    /// <summary>The account's subscriptions.</summary>
    public required SubjectTree<Subscription> Subscriptions { get; init; }

    /// <summary>The storage that the account's streams use.</summary>
    public required AccountStorage Storage { get; init; }

    /// <summary>The memory of the ids in the duplicate windows of the account's streams.</summary>
    public required IdMemory DuplicateIds { get; init; }

    /// <summary>The options of JetStream.</summary>
    public required JetStreamOptions Options { get; init; }

    /// <summary>The server's name.</summary>
    public required string ServerName { get; init; }

    /// <summary>The clock for messages' timestamps.</summary>
    public required Clock Clock { get; init; }

    /// <summary>The clock for timers.</summary>
    public required TimeProvider Time { get; init; }

    /// <summary>The server's batches.</summary>
    public required SendBatchSet Batches { get; init; }

    /// <summary>The log.</summary>
    public required ILogger Logger { get; init; }

    /// <summary>The source of random numbers.</summary>
    public required Random Random { get; init; }

    /// <summary>The atomic batches that are open in all streams of the server.</summary>
    public required OpenBatchLimit OpenBatches { get; init; }

    /// <summary>The fast batches that are open in all streams of the server.</summary>
    public required OpenBatchLimit OpenFastBatches { get; init; }

    /// <summary>Creates a unique id in the form used in advisories.</summary>
    public string NextId() => Random.GetString(IdLetters, IdLength);
}
