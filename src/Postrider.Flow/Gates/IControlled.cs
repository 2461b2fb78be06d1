namespace Postrider.Flow.Gates;

/// <summary>A run that a <see cref="FlowControl"/> steers.</summary>
internal interface IControlled
{
    /// <summary>Ends a pause.</summary>
    void Resume();

    /// <summary>Starts no further items.</summary>
    void Drain();
}
