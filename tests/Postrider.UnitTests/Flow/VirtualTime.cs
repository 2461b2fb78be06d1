namespace Postrider.UnitTests.Flow;

/// <summary>Tests that compare times of a fake clock: nothing else may use the thread pool while they run.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class VirtualTime
{
    /// <summary>The collection's name.</summary>
    public const string Name = "virtual time";
}
