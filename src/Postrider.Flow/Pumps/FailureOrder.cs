using Postrider.Flow.Outcomes;

namespace Postrider.Flow.Pumps;

/// <summary>Failures are collected as they occur and reported in the source's order.</summary>
internal static class FailureOrder
{
    public static List<FlowFailure> Sort(List<FlowFailure> failures)
    {
        failures.Sort(static (a, b) => a.Index.CompareTo(b.Index));
        return failures;
    }
}
