namespace Postrider.UnitTests.Flow.Operators;

/// <summary>What runs in <see cref="AwaitPointTests"/>.</summary>
public enum FlowOperator
{
    ForEach,
    Select,
    Stream,
    OrderedStream,
    Outcomes,
    Batch,
    BatchStream,
    Pipeline,
}
