namespace Postrider.MessagePack;

/// <summary>First bytes of values. Source: the MessagePack specification, "Formats".</summary>
internal static class MessagePackCode
{
    public const byte MaxFixInt = 0x7F;
    public const byte FixMap = 0x80;
    public const byte FixArray = 0x90;
    public const byte FixString = 0xA0;
    public const byte Nil = 0xC0;
    public const byte NeverUsed = 0xC1;
    public const byte False = 0xC2;
    public const byte True = 0xC3;
    public const byte Binary8 = 0xC4;
    public const byte Binary16 = 0xC5;
    public const byte Binary32 = 0xC6;
    public const byte Extension8 = 0xC7;
    public const byte Extension16 = 0xC8;
    public const byte Extension32 = 0xC9;
    public const byte Float32 = 0xCA;
    public const byte Float64 = 0xCB;
    public const byte UInt8 = 0xCC;
    public const byte UInt16 = 0xCD;
    public const byte UInt32 = 0xCE;
    public const byte UInt64 = 0xCF;
    public const byte Int8 = 0xD0;
    public const byte Int16 = 0xD1;
    public const byte Int32 = 0xD2;
    public const byte Int64 = 0xD3;
    public const byte FixExtension1 = 0xD4;
    public const byte FixExtension2 = 0xD5;
    public const byte FixExtension4 = 0xD6;
    public const byte FixExtension8 = 0xD7;
    public const byte FixExtension16 = 0xD8;
    public const byte String8 = 0xD9;
    public const byte String16 = 0xDA;
    public const byte String32 = 0xDB;
    public const byte Array16 = 0xDC;
    public const byte Array32 = 0xDD;
    public const byte Map16 = 0xDE;
    public const byte Map32 = 0xDF;
    public const byte MinNegativeFixInt = 0xE0;

    /// <summary>The type of a value whose first byte is <paramref name="code"/>.</summary>
    public static MessagePackType TypeOf(byte code) => code switch
    {
        <= MaxFixInt or >= MinNegativeFixInt or (>= UInt8 and <= Int64) => MessagePackType.Integer,
        < FixArray or Map16 or Map32 => MessagePackType.Map,
        < FixString or Array16 or Array32 => MessagePackType.Array,
        < Nil or (>= String8 and <= String32) => MessagePackType.String,
        Nil => MessagePackType.Nil,
        False or True => MessagePackType.Boolean,
        >= Binary8 and <= Binary32 => MessagePackType.Binary,
        Float32 or Float64 => MessagePackType.Float,
        NeverUsed => MessagePackType.Unknown,
        _ => MessagePackType.Extension,
    };

    /// <summary>The name of a value's type in errors.</summary>
    public static string Describe(byte code) => TypeOf(code) switch
    {
        MessagePackType.Integer => "an integer",
        MessagePackType.Map => "a map",
        MessagePackType.Array => "an array",
        MessagePackType.String => "a string",
        MessagePackType.Nil => "nil",
        MessagePackType.Boolean => "a boolean",
        MessagePackType.Binary => "binary",
        MessagePackType.Float => "a float",
        MessagePackType.Extension => "an extension",
        _ => "the unused byte",
    };
}
