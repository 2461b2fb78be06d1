namespace Postrider.Wire.Frames;

/// <summary>The positions of the parts of a frame, counted from its first byte. A part that the operation lacks is empty.</summary>
internal struct FrameLayout
{
    /// <summary>The operation.</summary>
    public FrameKind Kind;

    /// <summary>The bytes of the whole frame.</summary>
    public int Length;

    /// <summary>The first byte of the subject.</summary>
    public int SubjectStart;

    /// <summary>One past the subject.</summary>
    public int SubjectEnd;

    /// <summary>The first byte of the subscription id.</summary>
    public int MiddleStart;

    /// <summary>One past the subscription id.</summary>
    public int MiddleEnd;

    /// <summary>The first byte of the reply subject, the queue group or the text.</summary>
    public int ReplyStart;

    /// <summary>One past the reply subject, the queue group or the text.</summary>
    public int ReplyEnd;

    /// <summary>The first byte of the sizes.</summary>
    public int SizesStart;

    /// <summary>The first byte of headers and payload.</summary>
    public int PayloadStart;

    /// <summary>The bytes of the headers.</summary>
    public int HeaderBytes;

    /// <summary>The bytes of headers and payload.</summary>
    public int TotalBytes;

    /// <summary>The maximum number of messages of an unsubscribe frame; -1 without.</summary>
    public int MaxMessages;

    /// <summary>Whether the arguments are separated by exactly one space.</summary>
    public bool IsCanonical;
}
