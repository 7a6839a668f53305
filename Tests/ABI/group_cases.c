/*
 * Groups, chains and graphs: the table of cases that all doors share, in each mode. Requests are held by a transport until a step ends them.
 */
#include "support.h"

#include "support/door.h"
#include "support/table.h"

enum { NAME, OPTIONS, MEMBERS, WITHIN, STEPS, COLUMNS };
enum { LETTERS = 128, EVENTS = 100, NOTIFICATION = 'N' };

/* A member by its letter: a request, or a group and the task that stands for it. */
struct member {
  netcore_task task;
  netcore_group group;
  netcore_hop hop;
  struct outcome outcome;
};

static struct {
  pthread_mutex_t lock;
  struct door door;
  struct member members[LETTERS];
  /* What has happened, in order, and how much of it steps have looked at. */
  char events[EVENTS][4];
  unsigned count, seen;
} play = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void note(char first, char second, char third) {
  pthread_mutex_lock(&play.lock);
  if (CHECK(play.count < EVENTS))
    snprintf(play.events[play.count++], sizeof play.events[0], third == 0 ? "%c%c" : "%c%c%c", first, second, third);
  pthread_mutex_unlock(&play.lock);
}

static unsigned count_events(void) {
  pthread_mutex_lock(&play.lock);
  unsigned count = play.count;
  pthread_mutex_unlock(&play.lock);
  return count;
}

static char letter_of(netcore_task task) {
  for (int letter = 0; letter < LETTERS; letter++)
    if (play.members[letter].task == task) return (char)letter;
  return '?';
}

static char mark_of(netcore_status status) {
  return status == NETCORE_OK ? '=' : status == NETCORE_ERR_CANCELED ? '/' : status == NETCORE_ERR_SKIPPED ? '~' : '!';
}

static void on_end(struct outcome *outcome) {
  const netcore_completion *end = &outcome->completion;
  struct member *member = outcome->hook_data;
  bool is_group = end->kind == NETCORE_COMPLETION_KIND_GROUP;
  CHECK(mark_of(end->status) != '!' || end->status == NETCORE_ERR_CONNECT);
  CHECK(is_group || member->task == end->task);
  note((char)(member - play.members), mark_of(end->status), is_group && end->task != 0 ? letter_of(end->task) : 0);
}

static void hold(netcore_hop hop, netcore_request request, void *user_data) {
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  (void)user_data;
  CHECK_OK(netcore_request_get_info(request, &info));
  char letter = ((const char *)info.url.data)[info.url.size_bytes - 1];
  pthread_mutex_lock(&play.lock);
  play.members[(int)letter].hop = hop;
  pthread_mutex_unlock(&play.lock);
  note('+', letter, 0);
}

/* Building */

static struct member *member_at(char letter) {
  struct member *member = &play.members[(int)letter];
  member->outcome.hook = on_end;
  member->outcome.hook_data = member;
  return member;
}

static netcore_status add_request(netcore_group group, char letter) {
  char url[40];
  struct member *member = member_at(letter);
  snprintf(url, sizeof url, "http://held.test/%c", letter);
  netcore_request request = request_new("GET", url);
  netcore_status status = netcore_group_add(group, request, door_done(&play.door), &member->outcome, &member->task);
  CHECK_OK(netcore_request_destroy(request));
  return status;
}

/* Adds "c<a,b". */
static void add_member(netcore_group group, const char *text) {
  struct member *member = member_at(text[0]);
  if (text[0] >= 'a')
    CHECK_OK(add_request(group, text[0]));
  else
    CHECK_OK(netcore_group_add_group(group, member->group, door_done(&play.door), &member->outcome, &member->task));
  for (const char *after = text + 1; *after != 0; after += 2)
    CHECK_OK(netcore_group_add_dependency(group, member->task, play.members[(int)after[1]].task));
}

static netcore_group make_group(char *options) {
  static const char *const rules[] = {"all_settled", "all_or_nothing", "any", "chain"};
  netcore_group_options made = NETCORE_GROUP_OPTIONS_INIT;
  netcore_group group = 0;
  char *limit = strstr(options, ",limit=");
  if (limit != NULL) made.limit = (uint32_t)atoi(limit + 7), *limit = 0;
  while (CHECK(made.rule < (int)LENGTH(rules)) && strcmp(rules[made.rule], options) != 0) made.rule++;
  REQUIRE_OK(netcore_group_create(play.door.client, &group));
  CHECK_OK(netcore_group_set_options(group, &made));
  return group;
}

/* "A chain x y" */
static void make_group_within(char *text) {
  char *rest = text, *letter = strsep(&rest, " ");
  netcore_group group = make_group(strsep(&rest, " "));
  member_at(*letter)->group = group;
  while (rest != NULL) add_member(group, strsep(&rest, " "));
}

static void build(char **columns) {
  char *within = columns[WITHIN], *members = columns[MEMBERS];
  for (char *end; *within != '-' && within != NULL; within = end + 2) {
    end = strstr(within, "; ");
    if (end != NULL) *end = 0;
    make_group_within(within);
    if (end == NULL) break;
  }
  struct member *outer = member_at(NOTIFICATION);
  outer->group = make_group(columns[OPTIONS]);
  if (*members == '-') return;
  while (members != NULL) add_member(outer->group, strsep(&members, " "));
}

/* Steps */

static netcore_status act(const char *action, char letter) {
  struct member *member = &play.members[letter == 0 ? NOTIFICATION : (int)letter];
  netcore_group outer = play.members[NOTIFICATION].group;
  if (strcmp(action, "add") == 0) return add_request(outer, letter);
  if (strcmp(action, "ok") == 0) return netcore_hop_answer(member->hop, 200, NULL, NULL, 0);
  if (strcmp(action, "fail") == 0) return netcore_hop_fail(member->hop, NETCORE_ERR_CONNECT, "the step says so");
  if (strcmp(action, "cancel") == 0)
    return letter == 0 ? netcore_group_cancel(outer) : netcore_task_cancel(member->task);
  netcore_status status = NETCORE_ERR_INTERNAL;
  if (CHECK(strcmp(action, "dispatch") == 0))
    REGISTERING(status, netcore_group_dispatch(member->group, door_done(&play.door), &member->outcome));
  return status;
}

/* Receives what has happened, in the way of the mode. */
static void turn(void) {
  if (mode_is_pump(play.door.mode)) CHECK_OK(netcore_client_process(play.door.client, 0, NULL));
  if (mode_is_queue(play.door.mode)) door_take(&play.door, 64, 0);
}

/* Takes one event from those of a phase; false if it is not among them. */
static bool take_event(const char *event, unsigned until) {
  for (unsigned i = play.seen; i < until; i++) {
    if (strcmp(play.events[i], event) != 0) continue;
    memmove(play.events[play.seen + 1], play.events[play.seen], (i - play.seen) * sizeof play.events[0]);
    play.seen++;
    return true;
  }
  return false;
}

/* Waits for what a step makes happen: "a= +c > N=". */
static void expect(char *text) {
  unsigned wanted = 0;
  for (const char *at = text; *at != 0; at++) wanted += *at != ' ' && *at != '>' && (at == text || at[-1] == ' ');
  wanted += play.seen;
  WAIT_UNTIL((turn(), count_events() >= wanted));
  pthread_mutex_lock(&play.lock);
  for (char *phase; (phase = strsep(&text, ">")) != NULL;) {
    unsigned until = play.seen;
    for (const char *at = phase; *at != 0; at++) until += *at != ' ' && (at == phase || at[-1] == ' ');
    for (char *event; until <= play.count && (event = strsep(&phase, " ")) != NULL;)
      if (*event != 0 && !CHECK(take_event(event, until))) fprintf(stderr, "  missing: %s\n", event);
  }
  pthread_mutex_unlock(&play.lock);
}

/* "dispatch (INVALID_STATE): +a" */
static void run_step(char *step) {
  char *events = strchr(step, ':');
  REQUIRE(events != NULL);
  *events++ = 0;
  char *refusal = strstr(step, " (");
  if (refusal != NULL) *refusal = 0, refusal += 2, refusal[strlen(refusal) - 1] = 0;
  char *letter = strchr(step, ' ');
  if (letter != NULL) *letter++ = 0;
  netcore_status status = act(step, letter == NULL ? 0 : *letter);
  if (!CHECK(strcmp(netcore_status_name(status), refusal == NULL ? "NETCORE_OK" : refusal) == 0))
    fprintf(stderr, "  %s: %s\n", step, netcore_status_name(status));
  expect(events);
}

static void run_case(char **columns) {
  static char name[200];
  snprintf(name, sizeof name, "%s mode: %s", mode_name(play.door.mode), columns[NAME]);
  check_case = name;
  memset(play.members, 0, sizeof play.members);
  play.count = play.seen = 0;
  build(columns);
  char *steps = columns[STEPS];
  for (char *end; steps != NULL; steps = end) {
    end = strstr(steps, " | ");
    if (end != NULL) *end = 0, end += 3;
    run_step(steps);
  }
  turn();
  if (!CHECK_EQUAL(count_events(), play.seen))
    for (unsigned i = 0; i < play.count; i++) fprintf(stderr, "  %s\n", play.events[i]);
  for (int letter = 0; letter < LETTERS; letter++) outcome_free(&play.members[letter].outcome);
}

int main(void) {
  check_begin();
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_CALLBACK; mode <= NETCORE_COMPLETION_MODE_LOOP_QUEUE;
       mode++) {
    char line[1000], *columns[COLUMNS];
    int count = 0;
    FILE *table = table_open(__FILE__, "groups.tsv");
    play.door = door_open(mode);
    CHECK_OK(netcore_client_set_transport(play.door.client, hold, NULL, NULL));
    for (int found; (found = table_next(table, line, sizeof line, columns, COLUMNS)) > 0; count++) {
      REQUIRE(found == COLUMNS);
      run_case(columns);
    }
    fclose(table);
    CHECK(count > 60);
    CHECK_OK(netcore_client_destroy(play.door.client));
  }
  return check_end();
}
