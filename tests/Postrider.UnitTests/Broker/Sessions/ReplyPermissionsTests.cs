using System.Text;
using Postrider.Broker;
using Postrider.Broker.Sessions;

namespace Postrider.UnitTests.Broker.Sessions;

/// <summary>The reply subjects that a responder may publish to.</summary>
public sealed class ReplyPermissionsTests
{
    private readonly TestClock _time = new();

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void A_subject_may_be_used_as_often_as_allowed(int max)
    {
        var replies = new ReplyPermissions(new ResponsePermission { MaxMessages = max }, _time);
        replies.Add("a"u8);

        for (var i = 0; i < max; i++) Assert.True(replies.TryUse("a"u8));
        Assert.False(replies.TryUse("a"u8));
        Assert.False(replies.TryUse("b"u8));
        Assert.Equal(0, replies.Count);
    }

    [Fact]
    public void A_subject_that_is_granted_again_may_be_used_again()
    {
        var replies = new ReplyPermissions(new ResponsePermission { MaxMessages = 2 }, _time);
        replies.Add("a"u8);
        Assert.True(replies.TryUse("a"u8));
        replies.Add("a"u8);

        Assert.True(replies.TryUse("a"u8));
        Assert.True(replies.TryUse("a"u8));
        Assert.False(replies.TryUse("a"u8));
    }

    [Fact]
    public void A_subject_may_be_used_until_it_expires()
    {
        var replies = new ReplyPermissions(new ResponsePermission { MaxMessages = -1, Expires = TimeSpan.FromSeconds(5) }, _time);
        replies.Add("a"u8);
        _time.Advance(TimeSpan.FromSeconds(5));
        Assert.True(replies.TryUse("a"u8));
        _time.Advance(TimeSpan.FromSeconds(1));

        Assert.False(replies.TryUse("a"u8));
    }

    [Fact]
    public void Expired_subjects_are_removed_when_others_are_granted()
    {
        var replies = new ReplyPermissions(new ResponsePermission { Expires = TimeSpan.FromSeconds(5) }, _time);
        for (var i = 0; i < 1000; i++) replies.Add(Subject(i));
        _time.Advance(TimeSpan.FromSeconds(6));

        replies.Add("a"u8);

        Assert.Equal(1, replies.Count);
    }

    [Fact]
    public void The_oldest_are_dropped_beyond_the_number_that_may_wait()
    {
        var replies = new ReplyPermissions(new ResponsePermission { MaxMessages = -1, Expires = TimeSpan.FromSeconds(-1) }, _time);
        for (var i = 0; i < ReplyPermissions.MaxGrants + 10; i++) replies.Add(Subject(i));

        Assert.Equal(ReplyPermissions.MaxGrants, replies.Count);
        Assert.False(replies.TryUse(Subject(9)));
        Assert.True(replies.TryUse(Subject(10)));
    }

    [Fact]
    public void The_oldest_are_dropped_beyond_the_bytes_that_may_wait()
    {
        var replies = new ReplyPermissions(new ResponsePermission(), _time);
        for (var i = 0; i < 5000; i++) replies.Add(Encoding.UTF8.GetBytes($"{i}".PadLeft(4096, '0')));

        Assert.Equal(ReplyPermissions.MaxBytes / 4096, replies.Count);
    }

    [Fact]
    public void Subjects_that_were_used_take_no_memory_behind_one_that_was_not()
    {
        var replies = new ReplyPermissions(new ResponsePermission(), _time);
        replies.Add("unused"u8);

        for (var i = 0; i < 200_000; i++)
        {
            replies.Add(Subject(i));
            Assert.True(replies.TryUse(Subject(i)));
        }

        Assert.InRange(replies.Entries, 1, 100);
        Assert.Equal(1, replies.Count);
        Assert.True(replies.TryUse("unused"u8));
    }

    private static byte[] Subject(int number) => Encoding.UTF8.GetBytes($"_INBOX.{number}");
}
