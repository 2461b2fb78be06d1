namespace Postrider.UnitTests;

/// <summary>Tests that measure the memory of the whole process: they run alone, as any other test would be measured too.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class ProcessMemory
{
    public const string Name = nameof(ProcessMemory);
}
