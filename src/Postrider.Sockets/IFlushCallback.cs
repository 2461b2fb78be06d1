namespace Postrider.Sockets;

/// <summary>Work that several messages of one read share, such as one write to the disk for all of them.</summary>
public interface IFlushCallback
{
    /// <summary>Does the work and writes to the batch what follows from it. Must not throw.</summary>
    /// <param name="batch">The batch that is about to be flushed.</param>
    void BeforeFlush(SendBatch batch);
}
