namespace Postrider.Flow.Pumps;

/// <summary>Why an operation takes no further items.</summary>
internal enum StopCause
{
    /// <summary>It still runs, or ended because its source did.</summary>
    None,

    /// <summary>An item failed and errors stop the operation.</summary>
    Failed,

    /// <summary>The source, a hook or a callback threw.</summary>
    Broken,

    /// <summary>A failure hook said not to go on, and what there is counts.</summary>
    HookStopped,

    /// <summary>The caller's token was cancelled.</summary>
    Cancelled,

    /// <summary>The deadline passed.</summary>
    Deadline,

    /// <summary>The reader of the stream left.</summary>
    Abandoned,

    /// <summary>The source threw, and errors do not stop the operation: what was taken from it is finished.</summary>
    SourceFailed,

    /// <summary>A drain was requested: finish what is in flight and start nothing more.</summary>
    Drained,
}
