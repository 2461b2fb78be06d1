namespace Postrider.Wire.Frames;

/// <summary>The reason why bytes are not a frame: the first error in the order of the bytes.</summary>
public enum FrameError
{
    /// <summary>No error.</summary>
    None,

    /// <summary>The bytes do not start an operation that this side accepts, or a payload does not end in CR LF.</summary>
    UnknownOperation,

    /// <summary>The arguments of an operation exceed <see cref="FrameParser.MaxLineBytes"/>.</summary>
    LineTooLong,

    /// <summary>An operation has too few or too many arguments.</summary>
    WrongArguments,

    /// <summary>A size is missing, negative, not a number, longer than nine digits, or the headers exceed the total size.</summary>
    WrongSize,

    /// <summary>The announced payload exceeds <see cref="FrameParser.MaxPayloadBytes"/>.</summary>
    PayloadTooLarge,

    /// <summary>An HPUB although headers were not negotiated; see <see cref="FrameParser.RefusesHeaders"/>.</summary>
    HeadersNotSupported,
}
