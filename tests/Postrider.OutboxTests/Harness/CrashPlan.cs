namespace Postrider.OutboxTests.Harness;

/// <summary>Says at which point a process dies: before or after one of its statements.</summary>
internal sealed class CrashPlan(int point)
{
    private int _passed;

    /// <summary>Whether the point was reached; from then on nothing works.</summary>
    public bool IsDead { get; private set; }

    /// <summary>Passes a point.</summary>
    /// <param name="die">Ends the connection.</param>
    public void Pass(Action die)
    {
        if (!IsDead && Interlocked.Increment(ref _passed) < point)
            return;
        IsDead = true;
        die();
        throw new CrashException();
    }
}
