namespace Postrider.Flow.Outcomes;

/// <summary>A run whose counters can be read while it runs.</summary>
internal interface IReadings
{
    /// <summary>The current state of the operation.</summary>
    FlowState State { get; }

    /// <summary>The counters now.</summary>
    /// <param name="elapsed">The elapsed time, as measured by the reader.</param>
    /// <param name="rate">The items per second, as measured by the reader.</param>
    FlowProgress Read(TimeSpan elapsed, double rate);
}
