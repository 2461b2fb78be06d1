namespace Postrider.MessagePack;

/// <summary>The types that a contract may use without its own context.</summary>
[MessagePackSerializable(typeof(bool))]
[MessagePackSerializable(typeof(byte))]
[MessagePackSerializable(typeof(short))]
[MessagePackSerializable(typeof(int))]
[MessagePackSerializable(typeof(long))]
[MessagePackSerializable(typeof(uint))]
[MessagePackSerializable(typeof(ulong))]
[MessagePackSerializable(typeof(float))]
[MessagePackSerializable(typeof(double))]
[MessagePackSerializable(typeof(decimal))]
[MessagePackSerializable(typeof(string))]
[MessagePackSerializable(typeof(byte[]))]
[MessagePackSerializable(typeof(Guid))]
[MessagePackSerializable(typeof(DateTime))]
[MessagePackSerializable(typeof(DateTimeOffset))]
[MessagePackSerializable(typeof(TimeSpan))]
internal sealed partial class ScalarFormatters : MessagePackContext;
