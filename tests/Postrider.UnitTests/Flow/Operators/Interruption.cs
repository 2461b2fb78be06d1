namespace Postrider.UnitTests.Flow.Operators;

/// <summary>What happens to an operation in <see cref="AwaitPointTests"/>.</summary>
public enum Interruption
{
    Cancel,
    Drain,
    Leave,
    BodyFault,
    SourceFault,
    HookFault,
}
