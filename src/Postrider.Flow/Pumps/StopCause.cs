namespace Postrider.Flow.Pumps;

/// <summary>Why an operation takes no further items.</summary>
internal enum StopCause
{
    /// <summary>It is still running, or ended because its source did.</summary>
    None,

    /// <summary>An item failed and errors stop the operation.</summary>
    Failed,

    /// <summary>The source, a hook or a callback threw.</summary>
    Broken,

    /// <summary>A failure hook stopped it, and the existing results count.</summary>
    HookStopped,

    /// <summary>The caller's token was cancelled.</summary>
    Cancelled,

    /// <summary>The deadline passed.</summary>
    Deadline,

    /// <summary>The reader of the stream stopped reading.</summary>
    Abandoned,

    /// <summary>The source threw, and errors do not stop the operation: the items taken from it are finished.</summary>
    SourceFailed,

    /// <summary>A drain was requested: items in flight are finished, and no others are started.</summary>
    Drained,
}
