namespace Postrider.Benchmarks.Flow;

/// <summary>Rows of somebody else.</summary>
public interface IFlowPeer
{
    /// <summary>Its cells; the row's name says which of ours it stands beside.</summary>
    IEnumerable<FlowRow> Rows(bool quick);
}
