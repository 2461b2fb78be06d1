namespace Postrider.Flow.Outcomes;

/// <summary>A run whose counters can be read while it runs.</summary>
internal interface IReadings
{
    /// <summary>What the operation does at this moment.</summary>
    FlowState State { get; }

    /// <summary>The counters now.</summary>
    /// <param name="elapsed">What the reader has measured since the start.</param>
    /// <param name="rate">What the reader has measured in items per second.</param>
    FlowProgress Read(TimeSpan elapsed, double rate);
}
