namespace Postrider.MessagePack;

/// <summary>What a contract may use without a context of its own.</summary>
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
