using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Streams.Queues;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Storage.Files;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>One account's streams.</summary>
/// <remarks>Thread-safe. <see cref="Changes"/> is held while streams are created, changed and deleted; looking one up takes no lock.</remarks>
internal sealed class JetStreamAccount
{
    // A query may take long in a large stream: those of other users are handled meanwhile.
    private const int QuestionsAtOnce = 4;

    private readonly ConcurrentDictionary<string, MessageStream> _streams = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _reservations = new(StringComparer.Ordinal);
    private long _apiTotal;
    private long _apiErrors;

    public JetStreamAccount(JetStreamEngine engine, Account account, AccountLimits limits, IStoreFolder? folder)
    {
        Engine = engine;
        Account = account;
        Folder = folder;
        Mutations = new RequestQueue(engine.Batches, account.Name, engine.Logger);
        Queries = new RequestQueue(engine.Batches, account.Name, engine.Logger, QuestionsAtOnce);
        Services = new AccountServices
        {
            AccountName = account.Name,
            Subscriptions = account.Subscriptions,
            Storage = new AccountStorage(engine.Storage, limits),
            DuplicateIds = new IdMemory(engine.Storage.MaxDuplicateIdBytes),
            Options = engine.Options,
            ServerName = engine.ServerName,
            Clock = engine.Clock,
            Time = engine.Time,
            Batches = engine.Batches,
            Logger = engine.Logger,
            Random = engine.Random,
            OpenBatches = engine.OpenBatches,
            OpenFastBatches = engine.OpenFastBatches,
        };
    }

    /// <summary>The engine.</summary>
    public JetStreamEngine Engine { get; }

    /// <summary>The account and its subscriptions.</summary>
    public Account Account { get; }

    /// <summary>The account's limits.</summary>
    public AccountLimits Limits
    {
        get => Services.Storage.Limits;
        set => Services.Storage.Limits = value;
    }

    /// <summary>The folder of file streams.</summary>
    public IStoreFolder? Folder { get; }

    /// <summary>The parts of the server and the account that its streams use.</summary>
    public AccountServices Services { get; }

    /// <summary>The account's subscriptions for the API; changed while the account's JetStream is enabled or disabled.</summary>
    public List<Subscription> ApiSubscriptions { get; } = [];

    /// <summary>The queue of requests that change something.</summary>
    public RequestQueue Mutations { get; }

    /// <summary>The queue of requests that read much.</summary>
    public RequestQueue Queries { get; }

    /// <summary>Held while the set of streams or a configuration changes; taken before a stream's lock.</summary>
    public Lock Changes { get; } = new();

    /// <summary>The streams, in any order.</summary>
    public ICollection<MessageStream> Streams => _streams.Values;

    /// <summary>The number of requests.</summary>
    public long ApiTotal => Interlocked.Read(ref _apiTotal);

    /// <summary>The number of requests that failed.</summary>
    public long ApiErrorTotal => Interlocked.Read(ref _apiErrors);

    /// <summary>The number of listed consumers of all streams.</summary>
    public int ConsumerCount => _streams.Values.Sum(static stream => stream.Consumers.Count(static consumer => !consumer.IsInternal));

    /// <summary>The number of all readers of streams, including direct consumers, mirrors and sources, which are not listed.</summary>
    public int FollowerCount => _streams.Values.Sum(static stream => stream.Consumers.Length);

    /// <summary>Finds a stream.</summary>
    public bool TryGetStream(string name, [NotNullWhen(true)] out MessageStream? stream) => _streams.TryGetValue(name, out stream);

    /// <summary>Adds a stream. <see cref="Changes"/> is held.</summary>
    public void Add(MessageStream stream) => _streams[stream.Name] = stream;

    /// <summary>Removes a stream. <see cref="Changes"/> is held.</summary>
    public bool Remove(MessageStream stream) => _streams.TryRemove(new KeyValuePair<string, MessageStream>(stream.Name, stream));

    /// <summary>Reserves a name without a stream: its files cannot be read, or it is being restored. <see cref="Changes"/> is held.</summary>
    /// <param name="name">The name.</param>
    /// <param name="why">The reason for error messages.</param>
    public void ReserveName(string name, string why) => _reservations[name] = why;

    /// <summary>Releases a reserved name. <see cref="Changes"/> is held.</summary>
    public void ReleaseName(string name) => _reservations.Remove(name);

    /// <summary>Why a name is reserved although no stream has it, or null. <see cref="Changes"/> is held.</summary>
    public string? FindReservation(string name) => _reservations.GetValueOrDefault(name);

    /// <summary>Starts the followers of a new stream, and those that waited for it. No lock is held.</summary>
    public void StartSourcing(MessageStream appeared, SendBatch batch)
    {
        appeared.Sourcing.Start(batch);
        foreach (var stream in _streams.Values)
        {
            if (stream.Config.Mirror?.Name == appeared.Name || stream.Config.SourceList.Any(source => source.Name == appeared.Name))
                stream.Sourcing.Start(batch);
        }
    }

    /// <summary>Counts a request.</summary>
    public void CountApi(bool isError)
    {
        Interlocked.Increment(ref _apiTotal);
        if (isError) Interlocked.Increment(ref _apiErrors);
    }

    /// <summary>Bytes reserved by streams with a limit.</summary>
    public long ReservedBytes(StreamStorage storage)
        => _streams.Values.Where(stream => stream.Config.Storage == storage && stream.Config.MaxBytes > 0).Sum(static stream => stream.Config.MaxBytes);
}
