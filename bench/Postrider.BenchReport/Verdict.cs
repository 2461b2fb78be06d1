namespace Postrider.BenchReport;

/// <summary>How a figure stands against the committed one.</summary>
public enum Verdict
{
    /// <summary>Within the noise of the two runs.</summary>
    Same,

    /// <summary>Better by more than the noise.</summary>
    Better,

    /// <summary>Worse by more than the noise: a regression.</summary>
    Worse,

    /// <summary>Worse by more than the noise, and so is the peer by as much: the machine is slower, not the code.</summary>
    SlowerMachine,

    /// <summary>Committed, but the new run has no such row.</summary>
    Missing,
}
