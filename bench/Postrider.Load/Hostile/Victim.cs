using System.Diagnostics;
using Postrider.Load.Native;
using Postrider.Load.Runs;

namespace Postrider.Load.Hostile;

/// <summary>The client whose latencies and data are watched: steady load of four kinds, beside one that fills the server.</summary>
internal sealed class Victim : IDisposable
{
    private const double CorePerSecond = 4000;
    private const double StreamPerSecond = 1000;
    private const double RequestsPerSecond = 400;
    private const double ApiPerSecond = 40;

    private readonly CancellationTokenSource _sending = new();
    private readonly Team _team = new();
    private readonly StreamLane _stream;
    private readonly ILane[] _lanes;
    private readonly BulkLoad? _bulk;

    /// <param name="port">The server's port on 127.0.0.1.</param>
    /// <param name="load">Rates of the lanes whose latencies are measured: 1 for the usual ones.</param>
    /// <param name="isFull">Whether everything that the server gives beside them is taken too.</param>
    public Victim(int port, double load, bool isFull)
    {
        _bulk = isFull ? new BulkLoad(port, _sending.Token) : null;
        _stream = new StreamLane(port, StreamPerSecond * load, _sending.Token);
        _lanes =
        [
            new CoreLane(port, CorePerSecond * load, _sending.Token),
            _stream,
            new RequestLane(port, RequestsPerSecond * load, _sending.Token),
            new ApiLane(port, ApiPerSecond * load, _sending.Token),
        ];
    }

    public bool Failed => _team.Failed;

    public long DamageTotal => _lanes.Sum(lane => lane.Damage.Total) + Math.Abs(_bulk?.Missing ?? 0);

    /// <summary>Messages of the load that fills the server, so far.</summary>
    public long BulkDelivered => _bulk?.Delivered ?? 0;

    public void Start()
    {
        _bulk?.Start(_team);
        foreach (var lane in _lanes)
            lane.Start(_team);
    }

    /// <summary>The latencies since the last call.</summary>
    public IReadOnlyList<LaneFigures> Take()
        => [.. _lanes.Select(lane => new LaneFigures(lane.Name, lane.Title, lane.Latencies.Take())), new("consume", "publish to delivery by a consumer", _stream.Deliveries.Take())];

    /// <summary>What is lost, doubled or altered in each lane.</summary>
    public string Damage() => string.Join("; ", _lanes.Select(lane => $"{lane.Name} {lane.Damage}"));

    /// <summary>The same after <see cref="Settle"/>, when nothing is under way any more.</summary>
    public string FinalDamage() => Damage() + (_bulk is null ? "" : $"; bulk {_bulk.Missing} missing");

    /// <summary>Sends no more and waits until everything sent has come back.</summary>
    public void Settle(TimeSpan most)
    {
        _sending.Cancel();
        var started = Stopwatch.GetTimestamp();
        while (!(_lanes.All(lane => lane.IsSettled()) && _bulk?.IsSettled() != false) && Stopwatch.GetElapsedTime(started) < most && !Failed)
            Pause.Milliseconds(50);
        // What is doubled comes late.
        Pause.Milliseconds(1000);
        Rethrow();
        foreach (var lane in _lanes)
            lane.Finish();
    }

    /// <summary>Ends the threads and throws what one of them failed with.</summary>
    public void Rethrow()
    {
        _sending.Cancel();
        _team.Stop();
        try
        {
            _team.Join();
        }
        catch (Exception e) when (e is IOException or System.Net.Sockets.SocketException)
        {
            throw new LoadException($"The victim lost its connection: {e.Message}", e);
        }
    }

    public void Dispose()
    {
        _sending.Cancel();
        _team.Stop();
        foreach (var lane in _lanes)
            lane.Dispose();
        _bulk?.Dispose();
        _team.Dispose();
        _sending.Dispose();
    }
}
