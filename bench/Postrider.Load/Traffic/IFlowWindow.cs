namespace Postrider.Load.Traffic;

/// <summary>What a publishing thread asks before it sends another block.</summary>
internal interface IFlowWindow
{
    /// <summary>Messages published by all.</summary>
    long Published { get; }

    /// <summary>How long the publishing thread may sleep before it looks again.</summary>
    int PollMilliseconds { get; }

    void Sent(int publisher, int frames);

    bool HasRoom(int publisher);

    /// <summary>Announces that the publishing thread is about to sleep until there is room.</summary>
    void Wait();

    void StopWaiting();
}
