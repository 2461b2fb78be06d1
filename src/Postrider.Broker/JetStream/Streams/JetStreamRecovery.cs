using System.Diagnostics;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Serialization;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Recovers the streams of an engine from the disk when the server starts.</summary>
/// <remarks>Only used by the starting thread; requests and publishes wait meanwhile.</remarks>
internal sealed class JetStreamRecovery(JetStreamEngine engine)
{
    private readonly List<RecoveryGate> _gates = [];
    private List<UnrecoveredStream>? _found;

    /// <summary>Recovers the streams of an account that was added after the start.</summary>
    public static void Recover(JetStreamAccount account)
    {
        var (engine, found) = (account.Engine, StreamRecovery.Find(account));
        foreach (var stream in found) StreamRecovery.Open(stream, engine.Consumers);
        engine.Batches.Run(account, static (account, batch) =>
        {
            foreach (var stream in account.Streams) stream.Sourcing.Start(batch);
        });
    }

    /// <summary>Finds the streams, and from then on holds back messages published to them. Called before clients are accepted.</summary>
    public void Find()
    {
        StreamLog.Starting(engine.Logger, engine.Root.Path);
        _found = [.. engine.Accounts.SelectMany(StreamRecovery.Find)];
        _gates.AddRange(engine.Accounts.Select(static account => new RecoveryGate(account)));
        foreach (var gate in _gates) gate.Begin();
    }

    /// <summary>Recovers every stream; requests wait meanwhile.</summary>
    public void Recover()
    {
        if (_found is null) Find();
        var watch = Stopwatch.StartNew();
        foreach (var found in _found!) StreamRecovery.Open(found, engine.Consumers);
        _found = [];
        engine.Batches.Run(engine, static (engine, batch) =>
        {
            foreach (var stream in engine.Accounts.SelectMany(static account => account.Streams)) stream.Sourcing.Start(batch);
        });
        StreamLog.Recovered(engine.Logger, engine.Accounts.Sum(static account => account.Streams.Count), watch.ElapsedMilliseconds);
        foreach (var gate in _gates) gate.End();
        _gates.Clear();
        engine.Progress.Complete();
        engine.Recovery.Complete(engine.Batches);
        JsonPreparation.Begin();
    }
}
