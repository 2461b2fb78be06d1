namespace Postrider.Benchmarks.Dispatch;

/// <summary>One cell of the table: a subject doing a row's work. Each is measured in a process of its own, so that no
/// subject's profile disturbs another's.</summary>
public abstract class BenchRow
{
    /// <summary>The row's name; equal for all subjects that do the same work.</summary>
    public abstract string Row { get; }

    /// <summary>Who does it.</summary>
    public virtual string Subject => "Postrider";

    /// <summary>Whether the subject can do the work at all.</summary>
    public virtual bool IsPossible => true;

    /// <summary>The program that runs the row; null for this one.</summary>
    public virtual string? Program => null;

    /// <summary>How many handlers and middleware run per operation.</summary>
    public virtual int HitsPerOperation => 1;

    /// <summary>The row of the same run that bounds this one, or null.</summary>
    public virtual RowLimit? Limit => null;

    /// <summary>Bytes that the row may allocate at most, or null.</summary>
    public virtual double? TargetBytes => null;

    /// <summary>Nanoseconds over the bare row of the same run that the row may take at most, or null.</summary>
    public virtual double? MostNanosecondsOverBare => null;

    /// <summary>The share over the bare row of the same run that the row may take at most, or null.</summary>
    public virtual double? MostShareOverBare => null;

    /// <summary>Whether the row may allocate no more than the bare row of the same run.</summary>
    public virtual bool AllocatesAsBare => false;

    /// <summary>Whether the first invocation in a process is measured too.</summary>
    public virtual bool HasCold => false;

    /// <summary>Whether work is done on other threads, so that allocations are counted for the whole process.</summary>
    public virtual bool UsesThreads => false;

    /// <summary>Where results go, so that nothing is optimised away.</summary>
    protected static long Sink { get; set; }

    /// <summary>Makes what the row needs; not measured.</summary>
    public virtual void Setup()
    {
    }

    /// <summary>Does the row's work.</summary>
    /// <param name="operations">How many times.</param>
    public abstract void Run(int operations);

    /// <summary>Ends a row whose call did not complete at once where it has to.</summary>
    protected static void NotComplete() => throw new InvalidOperationException("A call that has to complete at once did not.");
}
