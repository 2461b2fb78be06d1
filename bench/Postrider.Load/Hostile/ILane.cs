namespace Postrider.Load.Hostile;

/// <summary>One kind of the victim's load.</summary>
internal interface ILane : IDisposable
{
    string Name { get; }

    /// <summary>What its latency means.</summary>
    string Title { get; }

    LatencyLog Latencies { get; }

    DamageCount Damage { get; }

    /// <summary>Starts its threads.</summary>
    void Start(Runs.Team team);

    /// <summary>Called after the threads that send have ended: true when everything sent has come back.</summary>
    bool IsSettled();

    /// <summary>Counts what is missing at the end; called once, after all threads have ended.</summary>
    void Finish();
}
