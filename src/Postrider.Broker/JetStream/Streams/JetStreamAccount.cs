using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams.Queues;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Storage.Files;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>One account's streams.</summary>
/// <remarks>Thread-safe. <see cref="Changes"/> is held while streams are created, changed and deleted; looking one up takes no lock.</remarks>
internal sealed class JetStreamAccount
{
    // A question may take as long as a stream is large: another user's is answered meanwhile.
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
        Mutations = new RequestQueue(engine.Batches, engine.Logger);
        Queries = new RequestQueue(engine.Batches, engine.Logger, QuestionsAtOnce);
        Services = new AccountServices
        {
            AccountName = account.Name,
            Subscriptions = account.Subscriptions,
            Storage = new AccountStorage(engine.Storage, limits),
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

    /// <summary>Where file streams are kept.</summary>
    public IStoreFolder? Folder { get; }

    /// <summary>The parts of the server and the account that its streams use.</summary>
    public AccountServices Services { get; }

    /// <summary>The account's subscriptions for the API; changed while the account's JetStream is enabled or disabled.</summary>
    public List<Subscription> ApiSubscriptions { get; } = [];

    /// <summary>Requests that change something.</summary>
    public RequestQueue Mutations { get; }

    /// <summary>Requests that ask for much.</summary>
    public RequestQueue Queries { get; }

    /// <summary>Held while the set of streams or a configuration changes; taken before a stream's lock.</summary>
    public Lock Changes { get; } = new();

    /// <summary>The streams, in any order.</summary>
    public ICollection<MessageStream> Streams => _streams.Values;

    /// <summary>Requests answered.</summary>
    public long ApiTotal => Interlocked.Read(ref _apiTotal);

    /// <summary>Requests answered with an error.</summary>
    public long ApiErrorTotal => Interlocked.Read(ref _apiErrors);

    /// <summary>Consumers of all streams that lists show.</summary>
    public int ConsumerCount => _streams.Values.Sum(static stream => stream.Consumers.Count(static consumer => !consumer.IsInternal));

    /// <summary>Everything that reads a stream: direct consumers, mirrors and sources are no list's, and count too.</summary>
    public int FollowerCount => _streams.Values.Sum(static stream => stream.Consumers.Length);

    /// <summary>Finds a stream.</summary>
    public bool TryGetStream(string name, [NotNullWhen(true)] out MessageStream? stream) => _streams.TryGetValue(name, out stream);

    /// <summary>Adds a stream. <see cref="Changes"/> is held.</summary>
    public void Add(MessageStream stream) => _streams[stream.Name] = stream;

    /// <summary>Removes a stream. <see cref="Changes"/> is held.</summary>
    public bool Remove(MessageStream stream) => _streams.TryRemove(new KeyValuePair<string, MessageStream>(stream.Name, stream));

    /// <summary>Keeps a name that is no stream's: its files cannot be read, or it is being restored. <see cref="Changes"/> is held.</summary>
    /// <param name="name">The name.</param>
    /// <param name="why">The reason for error messages.</param>
    public void ReserveName(string name, string why) => _reservations[name] = why;

    /// <summary>Gives a name free. <see cref="Changes"/> is held.</summary>
    public void ReleaseName(string name) => _reservations.Remove(name);

    /// <summary>Why a name cannot be had although no stream bears it, or null. <see cref="Changes"/> is held.</summary>
    public string? FindReservation(string name) => _reservations.GetValueOrDefault(name);

    /// <summary>Starts what a new stream follows, and what was waiting for it. No lock is held.</summary>
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

    /// <summary>Bytes that streams with a limit keep for themselves.</summary>
    public long ReservedBytes(StreamStorage storage)
        => _streams.Values.Where(stream => stream.Config.Storage == storage && stream.Config.MaxBytes > 0).Sum(static stream => stream.Config.MaxBytes);
}
