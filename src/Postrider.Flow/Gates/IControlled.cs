namespace Postrider.Flow.Gates;

/// <summary>A run that a <see cref="FlowControl"/> steers.</summary>
internal interface IControlled
{
    /// <summary>The pause is over.</summary>
    void Resume();

    /// <summary>Nothing more is to be started.</summary>
    void Drain();
}
