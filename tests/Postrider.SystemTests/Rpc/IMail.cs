using System.Runtime.Serialization;
using System.ServiceModel;
using Postrider.Rpc;
using Postrider.Xml;

namespace Postrider.SystemTests.Rpc;

/// <summary>What every mailbox does, of a namespace of its own.</summary>
[ServiceContract(Name = "Box", Namespace = "urn:box")]
public interface IMailbox
{
    [OperationContract]
    int Count();
}

/// <summary>A contract that derives from another, passes parameters back, and has bodies without an element around them.</summary>
[ServiceContract(Name = "Mail", Namespace = "urn:mail")]
[ServiceKnownType(typeof(Parcel))]
public interface IMail : IMailbox
{
    [OperationContract]
    bool TryTake(string name, ref int left, out string? text);

    [OperationContract]
    void Split(string text, out string first, out string second);

    [Bare]
    [OperationContract]
    Letter Forward(Letter letter);

    [Bare]
    [OperationContract]
    Letter Return(Letter letter);

    [Bare]
    [OperationContract]
    void Flush();

    [OperationContract]
    byte[] Copy(byte[] bytes);
}

[DataContract(Namespace = "urn:letters")]
public class Letter
{
    [DataMember] public string? Text { get; set; }

    [DataMember] public byte[]? Seal { get; set; }
}

[DataContract(Namespace = "urn:letters")]
public sealed class Parcel : Letter
{
    [DataMember] public int Weight { get; set; }
}

[XmlSerializable(typeof(IMail))]
internal sealed partial class MailXml : XmlContext;

internal sealed class Mail : IMail
{
    private int _flushed;

    public int Count() => _flushed;

    public bool TryTake(string name, ref int left, out string? text)
    {
        left--;
        text = left < 0 ? null : name + left;
        return left >= 0;
    }

    public void Split(string text, out string first, out string second) => (first, second) = (text[..1], text[1..]);

    public Letter Forward(Letter letter)
    {
        letter.Text += " forwarded";
        return letter;
    }

    public Letter Return(Letter letter)
    {
        letter.Text += " returned";
        return letter;
    }

    public void Flush() => _flushed++;

    public byte[] Copy(byte[] bytes) => bytes;
}
