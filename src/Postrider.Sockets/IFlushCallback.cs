namespace Postrider.Sockets;

/// <summary>Work that the messages of one read share, such as one disk write for all of them.</summary>
public interface IFlushCallback
{
    /// <summary>Does the work and writes its results to the batch. Must not throw.</summary>
    /// <param name="batch">The batch that is about to be flushed.</param>
    void BeforeFlush(SendBatch batch);
}
