namespace Postrider.Flow.Outcomes;

/// <summary>A run whose counters can be read while it runs.</summary>
internal interface IReadings
{
    /// <summary>The counters now.</summary>
    /// <param name="elapsed">What the reader has measured since the start.</param>
    /// <param name="rate">What the reader has measured in items per second.</param>
    FlowProgress Read(TimeSpan elapsed, double rate);
}
