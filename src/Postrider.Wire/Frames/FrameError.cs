namespace Postrider.Wire.Frames;

/// <summary>The reason why bytes are not a frame: the first error in the order of the bytes.</summary>
public enum FrameError
{
    /// <summary>No error.</summary>
    None,

    /// <summary>The bytes begin no operation that this side accepts, or a payload does not end in CR LF.</summary>
    UnknownOperation,

    /// <summary>The arguments of an operation exceed <see cref="FrameParser.MaxLineBytes"/>.</summary>
    LineTooLong,

    /// <summary>An operation has too few or too many arguments.</summary>
    WrongArguments,

    /// <summary>A size is missing, negative, not a number, of more than nine digits, or a header is larger than the whole.</summary>
    WrongSize,

    /// <summary>The announced payload exceeds <see cref="FrameParser.MaxPayloadBytes"/>.</summary>
    PayloadTooLarge,

    /// <summary>An HPUB where headers were not agreed on; see <see cref="FrameParser.RefusesHeaders"/>.</summary>
    HeadersNotSupported,
}
