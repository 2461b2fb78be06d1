using System.Text;
using Postrider.Broker.Leafs;

namespace Postrider.UnitTests.Broker.Leafs;

public sealed class LeafSubjectsTests
{
    public static TheoryData<string?, string, string, bool, bool> Rules => new()
    {
        { null, "", "a.b", true, true },
        { "", "", "a.b", false, false },
        { "a.*", "", "a.b", true, true },
        { "a.*", "", "a.b.c", false, false },
        { "a.>", "a.secret", "a.secret", false, false },
        { "a.>", "a.secret", "a.*", true, true },
        { null, "a.>", "a.*", false, false },
        { null, "a.>", "a.>", false, false },
        { null, "a.>", ">", true, true },
        { "a.b", "", "a.*", false, true },
        { "a.>", "", "*.*", false, true },
        { "a.>", "", ">", false, true },
        { "a.>", "", "b.*", false, false },
        { "a group", "", "a", false, false },
        { null, "a group", "a", true, true },
    };

    [Theory]
    [MemberData(nameof(Rules))]
    public void Messages_and_interest_are_allowed_as_written(string? allow, string deny, string subject, bool message, bool interest)
    {
        var subjects = LeafSubjects.Create(allow?.Split(';', StringSplitOptions.RemoveEmptyEntries), deny.Split(';', StringSplitOptions.RemoveEmptyEntries));
        var bytes = Encoding.UTF8.GetBytes(subject);

        Assert.Equal((message, interest), (subjects.AllowsMessage(bytes), subjects.AllowsInterest(bytes)));
    }

    [Fact]
    public void What_another_server_sends_may_be_nonsense()
    {
        var subjects = LeafSubjects.Create([null!, "", " ", "a..b", "ok"], [null!, "."]);

        Assert.Equal((true, false, false), (subjects.AllowsMessage("ok"u8), subjects.AllowsMessage("a..b"u8), subjects.AllowsMessage("x"u8)));
    }
}
